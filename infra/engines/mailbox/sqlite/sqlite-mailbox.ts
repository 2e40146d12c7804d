import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import type { Mailbox, MailboxFull, MailboxLimits, Posted } from '../../../../contracts/ports/mailbox';
import { openDatabase } from '../../sqlite/database';
import { groupCommit } from '../../sqlite/group-commit';
import { SHORT_BUSY_TIMEOUT, retryWhileBusy } from '../../sqlite/retry-while-busy';
import { ensureSchema } from '../../sqlite/schema';
import { createWalSync } from '../../sqlite/wal-sync';
import type { Page } from '../pages';
import { createSubscriptions } from '../subscriptions';
import {
  checkLimit,
  DEFAULT_LIMITS,
  type PreparedMessage,
  prepareMessage,
  recipientsOf,
} from '../validation';
import { createInsert, storedMessage } from './insert';
import { createMessageIndex } from './message-index';
import { createNotifications } from './notifications';
import { createPageReader } from './read-page';
import { createLastId, SCHEMA, SCHEMA_VERSION, UPGRADES } from './schema';
import { shrinkIfEmpty } from './shrink';
import { createSweep } from './sweep';

export interface SqliteMailboxOptions {
  readonly path: string;
  /** Default: 10,000 messages and 16 MiB per recipient, 1 GiB in all. */
  readonly limits?: Partial<MailboxLimits>;
  /** Milliseconds since the epoch; default: the clock of the machine, which all processes at the file must share. */
  readonly clock?: () => number;
}

/** How soon a subscriber sees messages posted by other processes. */
const POLL_MS = 5;
/**
 * `post` syncs the WAL itself, so that subscribers need not wait for the disk. Checkpoints make pauses, which
 * are shorter than those of the default and seldom enough.
 */
const PRAGMAS = 'PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=4096';
const MAX_COMMIT_BYTES = 8 * 1024 * 1024;
/** Deletes expired messages while nothing is posted. */
const SWEEP_INTERVAL_MS = 10_000;

const isNew = (outcome: Posted | MailboxFull): outcome is Posted => 'isNew' in outcome && outcome.isNew;

/**
 * A mailbox in one SQLite file, for any number of processes on one machine.
 * @throws UnusableDatabase
 */
export function openSqliteMailbox(options: SqliteMailboxOptions): Mailbox {
  const { path, clock = Date.now } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const db = openDatabase(path, { pollMs: POLL_MS, engine: 'mailbox' });
  ensureSchema(db, SCHEMA_VERSION, SCHEMA, UPGRADES);
  db.exec(`${SHORT_BUSY_TIMEOUT}; ${PRAGMAS}`);
  const wal = createWalSync(path);

  const index = createMessageIndex(db);
  const lastId = createLastId(db);
  const insert = createInsert(db, limits, index);
  const sweep = createSweep(db);
  const readIndexed = createPageReader(db);
  const readPage = (to: readonly string[], after: number, limit: number): Page => {
    index.update();
    return readIndexed(to, after, limit, clock());
  };
  const posts = groupCommit<PreparedMessage, Posted>({
    commit: messages => {
      const now = clock();
      let before = 0;
      const outcomes = db.transaction((): (Posted | MailboxFull)[] => {
        before = index.update();
        sweep(now);
        return insert(messages, now, before);
      });
      notifications.committed(
        outcomes.flatMap((outcome, n) =>
          isNew(outcome) ? storedMessage(messages[n]!, outcome.id, now) : [],
        ),
        before,
      );
      return outcomes;
    },
    weight: ({ size }) => size,
    capacity: MAX_COMMIT_BYTES,
  });
  const subscriptions = createSubscriptions(readPage, () => notifications.removeSubscriber());
  const notifications = createNotifications(db, lastId, subscriptions);
  const sweepAll = async (): Promise<void> => {
    while (await retryWhileBusy(() => db.transaction(() => sweep(clock())))) await nextTurn();
    shrinkIfEmpty(db);
  };
  const sweeps = setInterval(() => {
    // A sweep that fails is repeated at the next interval.
    sweepAll().catch(() => undefined);
  }, SWEEP_INTERVAL_MS).unref();

  return {
    post: async message => {
      const posted = await posts.add(prepareMessage(message, limits));
      await wal.synced().catch(error => {
        throw new EngineUnavailable('mailbox', 'the disk cannot be written', { cause: error });
      });
      return posted;
    },
    read: async query => {
      checkLimit(query.limit);
      return readPage(recipientsOf(query), query.after, query.limit).messages;
    },
    subscribe: (filter, subscriber) => {
      const to = recipientsOf(filter);
      notifications.addSubscriber();
      const subscription = subscriptions.add({ to, after: filter.after }, subscriber);
      subscription.start();
      return subscription;
    },
    close: async () => {
      clearInterval(sweeps);
      subscriptions.close();
      await posts.drained();
      await wal.close();
      db.close();
    },
  };
}
