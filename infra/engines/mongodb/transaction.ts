import {
  type ClientSession,
  type MongoClient,
  MongoErrorLabel,
  MongoNetworkError,
  type TransactionOptions,
} from 'mongodb';
import { unwrapped } from './server-errors';

/** Of the majority, whatever the URL asks for. The time is for an answer that it has it; without one a write may still succeed. */
export const MAJORITY = {
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 20_000 },
} as const;

export const TRANSACTION: TransactionOptions = { ...MAJORITY, readConcern: { level: 'snapshot' } };

/** The label of what is repeated from the start. */
export const REPEATED = MongoErrorLabel.TransientTransactionError;

/**
 * One transaction of the server, which the driver repeats when it lost to another one, and its end while the outcome is unknown, for
 * two minutes at most. After the signal nothing is begun, nor committed that was not being committed.
 */
export async function inTransaction(
  client: Pick<MongoClient, 'withSession'>,
  work: (session: ClientSession) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const attempt = async (session: ClientSession): Promise<void> => {
    try {
      signal?.throwIfAborted();
      await work(session);
    } catch (error) {
      const cause = unwrapped(error);
      // The driver does not label the errors of connections that it closes itself after a failed heartbeat.
      if (cause instanceof MongoNetworkError) cause.addErrorLabel(REPEATED);
      throw cause;
    }
    signal?.throwIfAborted();
  };
  await client.withSession(session => session.withTransaction(attempt, TRANSACTION));
}
