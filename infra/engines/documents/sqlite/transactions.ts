import { Mutex } from 'async-mutex';
import { DuplicateKey } from '../../../../contracts/ports/documents';
import type { Database } from '../../sqlite/database';
import { isUniqueViolation } from '../../sqlite/errors';
import { retryWhileBusy } from '../../sqlite/retry-while-busy';
import type { Catalog } from './catalog';
import type { PreparedCommit } from './commit-batching';
import { truncateWal } from './secure-delete';
import type { Versions } from './versions';
import { execute, type WriteTask } from './write-transaction';
import { startWriterThread, type WriterThread } from './writer-thread';

/** From this size on a transaction runs in a thread, so that this one can read and prepare the next commits. */
const MIN_THREAD_WRITES = 1_000;
const MIN_THREAD_BYTES = 256 * 1024;
/** Without large transactions the thread ends after so long: it takes some 20 MB. */
const IDLE_MS = 30_000;

const isLarge = (commits: readonly PreparedCommit[]): boolean =>
  commits.reduce((sum, { writes }) => sum + writes.length, 0) >= MIN_THREAD_WRITES ||
  commits.reduce((sum, { bytes }) => sum + bytes, 0) >= MIN_THREAD_BYTES;

interface TransactionsDeps {
  readonly path: string;
  readonly db: Database;
  readonly catalog: Catalog;
  readonly versions: Versions;
  readonly secureDelete: boolean;
}

/** Transactions that write: one at a time, so that neither thread waits for the write lock of the other. */
export interface Transactions {
  inThisThread<Result>(body: () => Result): Promise<Result>;
  inWriterThread(task: WriteTask): Promise<number | null>;
  /** @returns the number of its last commit with writes */
  commit(batch: readonly PreparedCommit[]): Promise<number | null>;
  /** Whether there were large transactions, which run in a thread. */
  usesThread(): boolean;
  /** After the transaction that runs. */
  close(): Promise<void>;
}

export function createTransactions({
  path,
  db,
  catalog,
  versions,
  secureDelete,
}: TransactionsDeps): Transactions {
  let thread: WriterThread | null = null;
  let wasUsed = false;
  let idle: NodeJS.Timeout | undefined;
  const mutex = new Mutex();
  const exclusive = <Result>(transaction: () => Promise<Result>): Promise<Result> =>
    mutex.runExclusive(async () => {
      try {
        return await transaction();
      } catch (error) {
        throw isUniqueViolation(error) ? new DuplicateKey(String(error), { cause: error }) : error;
      }
    });
  const inThisThread = <Result>(body: () => Result): Promise<Result> =>
    exclusive(() => retryWhileBusy(() => db.transaction(body)));
  const endThread = (): Promise<void> =>
    mutex.runExclusive(async () => {
      const ended = thread;
      thread = null;
      await ended?.close();
    });
  const inWriterThread = (task: WriteTask): Promise<number | null> =>
    exclusive(async () => {
      clearTimeout(idle);
      wasUsed = true;
      try {
        return await (thread ??= startWriterThread(path, () => (thread = null))).execute(task);
      } finally {
        idle = setTimeout(() => void endThread().catch(() => undefined), IDLE_MS).unref();
      }
    });

  return {
    inThisThread,
    inWriterThread,
    async commit(batch) {
      const task = { commits: batch.map(({ groups, checkpoint, bytes }) => ({ groups, checkpoint, bytes })) };
      if (isLarge(batch) && !secureDelete) return inWriterThread(task);
      const last = await inThisThread(() => {
        const number = execute(db, catalog, task);
        for (const { groups, writes } of batch)
          for (const { collection } of groups)
            versions.wrote(
              collection,
              writes.filter(write => write.collection === collection),
            );
        return number;
      });
      if (secureDelete && batch.some(({ writes }) => writes.length > 0)) await truncateWal(db);
      return last;
    },
    usesThread: () => wasUsed,
    async close() {
      clearTimeout(idle);
      await endThread();
    },
  };
}
