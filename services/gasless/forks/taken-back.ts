import { Buffer } from 'node:buffer';
import { z } from 'zod';
import { decodeTonMessage, TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import { TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import type { LogMessage } from '../../../contracts/ports/log';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import { backoffMs } from '../../../contracts/retry/backoff';
import type { TonHashTransaction } from '../../../projections/ton/messages';
import type { TonTraces } from '../../../projections/ton/traces/queries';
import type { TonTransactions } from '../../../projections/ton/transactions/queries';
import type { MessageReaction } from '../../reactions/message-reaction';

const ref = z.object({ lt: z.string(), hash: z.string() });

/** A transaction that a fork has taken back. */
const takenBackJob = z.object({
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  account: z.string(),
  transaction: ref,
  /** Of the external message that it was said to have, hex. */
  external: z.array(z.string()),
  /** Those of the account in whose traces it was. */
  traces: z.array(ref),
  /** Unique. */
  occasion: z.string(),
  run: z.int(),
});
export type TakenBackJob = z.output<typeof takenBackJob>;

const ATTEMPTS = 10_000;
const BACKOFF_MS = 500;
const FIRST_LOOK_MS = 500;
const MAX_LOOK_MS = 60_000;
/** Some minutes: a transaction that is still there then is on the chain again. */
const MAX_RUNS = 10;

/** @param run from 1 */
function takenBack(queue: string, data: TakenBackJob): NewJob {
  return {
    queue,
    id: `${data.occasion}/${data.run}`,
    data,
    attempts: ATTEMPTS,
    backoffMs: BACKOFF_MS,
    delayMs: backoffMs(data.run - 1, FIRST_LOOK_MS, MAX_LOOK_MS),
  };
}

/** Null for a message of the log that takes nothing back. */
function readTakenBack({ topic, partition, offset, value }: LogMessage): TakenBackJob | null {
  const message = decodeTonMessage(value);
  if (message.type !== 'retracted') return null;
  const { network, account, lt, hash, external, traces = [] } = message;
  return {
    network,
    account,
    transaction: { lt, hash },
    traces: [...traces],
    external: external.map(hexOf),
    occasion: `${topic}/${partition}/${offset}`,
    run: 1,
  };
}

/** @param hash base64 */
export function hexOf(hash: string): string {
  return Buffer.from(hash, 'base64').toString('hex');
}

/** A job for each transaction that a fork has taken back and that concerns somebody. @param name also that of the queue */
export function takenBackReaction(
  name: string,
  concerns: (found: TakenBackJob) => Promise<boolean>,
): MessageReaction {
  return {
    name,
    topics: [TON_TRANSACTIONS.name],
    from: 'now',
    async jobs(message) {
      const found = readTakenBack(message);
      return found && (await concerns(found)) ? [takenBack(name, found)] : [];
    },
  };
}

export interface TakenBackDeps {
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
  readonly transactions: Pick<TonTransactions, 'withLts'>;
  readonly traces: Pick<TonTraces, 'has' | 'places'>;
  /** The transaction of an external message, by its hash (hex). */
  transactionByHash(network: TonNetwork, hash: string): Promise<TonHashTransaction | null>;
}

/** Adds the jobs that read again what may have changed, once the documents show that it was taken back, until the signal. */
export function workTakenBack(
  deps: TakenBackDeps,
  queue: string,
  signal: AbortSignal,
  readAgain: (job: TakenBackJob) => Promise<readonly NewJob[]>,
): Promise<void> {
  return deps.jobs.work({ queue, signal }, async ({ data }) => {
    const job = takenBackJob.parse(data);
    const isTooEarly = await isStillThere(deps, job);
    const next = isTooEarly ? [takenBack(queue, { ...job, run: job.run + 1 })] : await readAgain(job);
    for (const each of next) await deps.jobs.add(each);
  });
}

/** Whether the documents may lack that it was taken back: what is read of them may be of the branch that is gone. */
async function isStillThere(deps: TakenBackDeps, job: TakenBackJob): Promise<boolean> {
  const { network, account, transaction, external, traces, run } = job;
  if (run >= MAX_RUNS) return false;
  const lts = traces.map(({ lt }) => lt);
  const [isMember, places, known, ...byHash] = await Promise.all([
    deps.traces.has(network, account, transaction),
    deps.traces.places(network, account, lts),
    deps.transactions.withLts(network, account, [transaction.lt]),
    ...external.map(hash => deps.transactionByHash(network, hash)),
  ]);
  // Also one of another account.
  const isInTrace = places.some(({ trace }) =>
    trace?.messages.some(message => message.transaction?.hash === transaction.hash),
  );
  return isMember || isInTrace || [...known, ...byHash].some(found => found?.hash === transaction.hash);
}
