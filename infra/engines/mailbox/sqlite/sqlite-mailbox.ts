import type { Mailbox, MailboxFull, MailboxLimits, Posted } from '../../../../contracts/ports/mailbox';
import { openDatabase } from '../../sqlite/database';
import { groupCommit } from '../../sqlite/group-commit';
import { SHORT_BUSY_TIMEOUT, retryWhileBusy } from '../../sqlite/retry-while-busy';
import { ensureSchema } from '../../sqlite/schema';
import { createSubscriptions } from '../subscriptions';
import {
  checkLimit,
  DEFAULT_LIMITS,
  type PreparedMessage,
  prepareMessage,
  recipientsOf,
} from '../validation';
import { createInsert, storedMessage } from './insert';
import { createNotifications } from './notifications';
import { createPageReader } from './read-page';
import { SCHEMA, SCHEMA_VERSION } from './schema';
import { createSweep } from './sweep';

export interface SqliteMailboxOptions {
  readonly path: string;
  /** Per recipient; default 10,000 messages and 16 MiB. */
  readonly limits?: MailboxLimits;
  /** Milliseconds since the epoch; default: the clock of the machine, which all processes at the file must share. */
  readonly clock?: () => number;
}

/** How soon a subscriber sees messages posted by other processes. */
const POLL_MS = 5;
const MAX_COMMIT_BYTES = 8 * 1024 * 1024;
/** Deletes expired messages while nothing is posted. */
const SWEEP_INTERVAL_MS = 10_000;

/**
 * A mailbox in one SQLite file, for any number of processes on one machine.
 * @throws UnusableDatabase
 */
export function openSqliteMailbox(options: SqliteMailboxOptions): Mailbox {
  const { path, limits = DEFAULT_LIMITS, clock = Date.now } = options;
  const db = openDatabase(path, { pollMs: POLL_MS, engine: 'mailbox' });
  ensureSchema(db, SCHEMA_VERSION, SCHEMA);
  db.exec(SHORT_BUSY_TIMEOUT);

  const insert = createInsert(db, limits);
  const sweep = createSweep(db);
  const readPage = createPageReader(db);
  const posts = groupCommit<PreparedMessage, Posted>({
    commit: messages => {
      const now = clock();
      const outcomes = db.transaction((): (Posted | MailboxFull)[] => {
        sweep(now);
        return messages.map(message => insert(message, now));
      });
      outcomes.forEach((outcome, n) => {
        if ('isNew' in outcome && outcome.isNew)
          notifications.committed(storedMessage(messages[n]!, outcome.id, now));
      });
      return outcomes;
    },
    weight: ({ size }) => size,
    capacity: MAX_COMMIT_BYTES,
  });
  const subscriptions = createSubscriptions(
    (to, after, limit) => readPage(to, after, limit, clock()),
    () => notifications.removeSubscriber(),
  );
  const notifications = createNotifications(db, subscriptions);
  const sweeps = setInterval(() => {
    // A sweep that fails is repeated at the next interval.
    retryWhileBusy(() => db.transaction(() => sweep(clock()))).catch(() => undefined);
  }, SWEEP_INTERVAL_MS).unref();

  return {
    post: async message => posts.add(prepareMessage(message, limits)),
    read: async query => {
      checkLimit(query.limit);
      return readPage(recipientsOf(query), query.after, query.limit, clock()).messages;
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
      db.close();
    },
  };
}
