import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClientSession,
  type MongoClient,
  MongoError,
  MongoNetworkError,
  type TransactionOptions,
} from 'mongodb';
import { backoffMs } from '../../../../contracts/retry/backoff';
import { unwrapped } from './errors';

/** Of the majority, whatever the URL asks for. The time is for an answer that it has it; without one a write may still succeed. */
export const MAJORITY = {
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 20_000 },
} as const;

export const TRANSACTION: TransactionOptions = { ...MAJORITY, readConcern: { level: 'snapshot' } };

/** The label of what is repeated from the start. */
export const REPEATED = 'TransientTransactionError';

const MIN_DELAY_MS = 5;
const MAX_DELAY_MS = 500;

/** The driver does not label the errors of connections that it closes itself after a failed heartbeat. */
const isLabelled = (error: unknown, label: string): boolean =>
  error instanceof MongoError && (error.hasErrorLabel(label) || error instanceof MongoNetworkError);

/** Repeats what fails with the label, until the signal. With jitter, so that transactions that conflict do not meet again. */
async function repeated<Result>(
  label: string,
  signal: AbortSignal,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 0; ; failures++)
    try {
      return await attempt();
    } catch (error) {
      if (!isLabelled(error, label) || signal.aborted) throw error;
      await sleep(Math.random() * backoffMs(failures, MIN_DELAY_MS, MAX_DELAY_MS));
    }
}

/**
 * One transaction of the server. It is repeated when it lost to another one, and its end when the outcome is unknown, as
 * `withTransaction` of the driver does, but only until the signal: that one goes on for two minutes, also when nobody waits for it. After
 * the signal nothing is committed that was not being committed.
 */
export async function inTransaction(
  client: Pick<MongoClient, 'withSession'>,
  work: (session: ClientSession) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await client.withSession(session =>
    repeated(REPEATED, signal, async () => {
      session.startTransaction(TRANSACTION);
      try {
        await work(session);
        signal.throwIfAborted();
      } catch (error) {
        await session.abortTransaction();
        throw unwrapped(error);
      }
      await repeated('UnknownTransactionCommitResult', signal, () => session.commitTransaction());
    }),
  );
}
