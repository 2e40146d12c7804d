import { Cell } from '@ton/core';
import { z } from 'zod';
import { hasReturned } from '../../../contracts/chain/ton-outcome';
import {
  GASLESS_HANDOVER_CATEGORY,
  gaslessHandoverEvents,
  gaslessHandoverStream,
  type GaslessHandedOver,
  type GaslessHandoverEnded,
} from '../../../contracts/events/gasless-handover';
import { TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { backoffMs } from '../../../contracts/retry/backoff';
import type { TonTraces } from '../../../projections/ton/traces/queries';
import type { TonTransactions } from '../../../projections/ton/transactions/queries';
import { load } from '../../commands/load';
import type { Reaction } from '../../reactions/event-reaction';
import { blockAfterExpiry } from '../../wallet-v5/message';
import { walletAt } from '../../wallet-v5/wallet-v5';
import type { GaslessDeps } from '../deps';
import { transfersOutcome } from '../relay/outcome';
import { gaslessHandoverKind, hasEnded } from './decider';

const GASLESS_HANDOVERS = 'gasless-handovers';

const jobData = z.object({
  network: z.enum(TON_NETWORKS),
  wallet: z.string(),
  seqno: z.int(),
  bodyHash: z.string(),
  /** Of the event that has it handed over. */
  revision: z.int(),
  /** What a fork has taken back, for which it is looked again; empty at first. */
  occasion: z.string().default(''),
  run: z.int(),
});

const ATTEMPTS = 10_000;
const BACKOFF_MS = 500;
const FIRST_LOOK_MS = 1_000;
const MAX_LOOK_MS = 600_000;
/** A week: what a fork has taken back of an account that nobody watches any more is not read again. */
const MAX_RECHECKS = 1_000;

/** Each adds the next one while it is not known what became of the request. */
export function handoverJob({ occasion = '', ...job }: z.input<typeof jobData>): NewJob {
  const data = { ...job, occasion };
  return {
    queue: GASLESS_HANDOVERS,
    id: `${gaslessHandoverStream(data)}/${data.occasion || data.revision}/${data.run}`,
    data,
    delayMs: backoffMs(data.run - 1, FIRST_LOOK_MS, MAX_LOOK_MS),
    attempts: ATTEMPTS,
    backoffMs: BACKOFF_MS,
  };
}

/** What is handed over is looked for on the chain, whatever the other relayer says. */
export const handoverReaction: Reaction = {
  name: GASLESS_HANDOVERS,
  categories: [GASLESS_HANDOVER_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = gaslessHandoverEvents.read(recorded);
    if (type !== 'GaslessHandedOver') return [];
    const { network, wallet, seqno, bodyHash } = data;
    return [handoverJob({ network, wallet, seqno, bodyHash, revision: recorded.revision, run: 1 })];
  },
};

export interface HandoverWorkerDeps extends Pick<GaslessDeps, 'store' | 'handle' | 'clock'> {
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
  client(network: TonNetwork): Pick<TonClient, 'getLastBlock' | 'getBlockAt' | 'getAccount'>;
  readonly transactions: Pick<TonTransactions, 'page'>;
  readonly traces: Pick<TonTraces, 'places'>;
}

/** Records what became of what was handed over, until the signal. */
export function workGaslessHandovers(deps: HandoverWorkerDeps, signal: AbortSignal): Promise<void> {
  const { store, handle, clock, jobs } = deps;
  return jobs.work({ queue: GASLESS_HANDOVERS, signal }, async ({ data }) => {
    const job = jobData.parse(data);
    const stream = gaslessHandoverStream(job);
    const handover = await load(store, gaslessHandoverKind, stream);
    if (handover?.request.bodyHash !== job.bodyHash) return;
    if (hasEnded(handover) && (job.occasion === '' || job.run > MAX_RECHECKS)) return;
    const { request, observations } = handover;
    const found = (await outcomeIn(deps, request)) ?? (await expiryOf(deps, request));
    const lookAgain = () => jobs.add(handoverJob({ ...job, run: job.run + 1 }));
    if (!found && !hasEnded(handover)) return void (await lookAgain());
    const recorded = await handle(gaslessHandoverKind, stream, {
      bodyHash: job.bodyHash,
      after: observations,
      ...(found ? { type: 'recordOutcome', ...found } : { type: 'recordOpen' }),
      metadata: { now: clock().toISOString(), actor: 'gasless' },
    });
    if (recorded.refusal) return;
    const { events, state } = recorded;
    // What was recorded in between may be newer than what was read; after a fork also what others have read since.
    const isOutdated = events.length > 0 ? job.occasion !== '' : state?.observations !== observations;
    if (!found || isOutdated) await lookAgain();
  });
}

type Outcome = Pick<GaslessHandoverEnded['data'], 'outcome' | 'transaction'>;
type Request = Pick<GaslessHandedOver['data'], 'network' | 'wallet' | 'seqno' | 'bodyHash' | 'validUntil'>;

/** Newest transactions of a wallet among which its request is looked for. */
const PAGE = 50;

/** What the history of the wallet shows; null while that is nothing. */
async function outcomeIn(
  { transactions, traces }: Pick<HandoverWorkerDeps, 'transactions' | 'traces'>,
  { network, wallet, bodyHash }: Request,
): Promise<Outcome | null> {
  const page = await transactions.page(network, wallet, { limit: PAGE });
  for (const entry of page.transactions) {
    const transaction = entry.decoded();
    const { inMessage } = transaction;
    if (inMessage?.info.type !== 'internal' || inMessage.info.bounced) continue;
    if (Cell.fromBase64(inMessage.body).hash().toString('hex') !== bodyHash) continue;
    // What came back may be sent once more, until it has expired.
    if (hasReturned(transaction)) continue;
    const [place] = await traces.places(network, wallet, [entry.lt]);
    const outcome = place?.trace && transfersOutcome(place.trace, null);
    return outcome ? { outcome, transaction: { lt: entry.lt, hash: entry.hash } } : null;
  }
  return null;
}

/** A wallet that has not used the seqno in a block after the expiry never does so by this request. */
async function expiryOf(
  deps: Pick<HandoverWorkerDeps, 'client'>,
  { network, wallet, seqno, validUntil }: Request,
): Promise<Outcome | null> {
  const client = deps.client(network);
  const block = await blockAfterExpiry({ client }, validUntil, await client.getLastBlock());
  if (block === null) return null;
  const { seqno: next } = await walletAt({ client }, wallet, block);
  return next <= seqno ? { outcome: 'expired', transaction: null } : null;
}
