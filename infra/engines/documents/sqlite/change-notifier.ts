import type { Write } from '../../../../contracts/ports/documents';
import type { ChangedParts } from '../../../../contracts/ports/wake-ups';
import type { Database } from '../../sqlite/database';
import { text } from '../../sqlite/statement';
import { createLocalWakeUps } from '../../wake-ups/local';
import { changedParts } from '../changed-parts';

/** What a transaction of this connection has committed. */
export interface OwnCommits {
  /** How many commits with writes, and the number of the last one. */
  readonly count: number;
  readonly last: number | null;
  readonly writes: readonly Pick<Write, 'collection' | 'id'>[];
}

/** Wakes waiters, and calls subscribers, when the collections they are about have changed. */
export interface ChangeNotifier {
  wait(collections: readonly string[], timeoutMs: number): Promise<void>;
  subscribe(collection: string, onChange: (parts: ChangedParts) => void): () => void;
  /** Runs a transaction of this process and notifies subscribers of what it changed. One at a time. */
  runAndNotify(transaction: () => Promise<OwnCommits>): Promise<void>;
  /** Wakes all waiters. */
  close(): void;
}

interface Waiter {
  readonly collections: readonly string[];
  readonly seen: string;
  wake(): void;
}

/** Stores the number of this commit with the collections, and returns it. To be called inside its transaction. */
export function recordChange(db: Database, collections: readonly string[]): number {
  const [commits] = db.prepare<[number]>('UPDATE _state SET commits = commits + 1 RETURNING commits').get()!;
  db.prepare('UPDATE _collections SET last_commit = ? WHERE name IN (SELECT value FROM json_each(?))').run([
    commits,
    JSON.stringify(collections),
  ]);
  return commits;
}

/**
 * One loop reads the commit numbers of the collections for all waiters and subscribers. The numbers are consecutive: one
 * that no transaction of this process has taken is of another process, which has stored the collection but not the parts.
 */
export function createChangeNotifier(db: Database): ChangeNotifier {
  const all = db.prepare<[string, number]>(`SELECT ${text('name')}, last_commit FROM _collections`);
  const some = db.prepare<[string, number]>(
    `SELECT ${text('name')}, last_commit FROM _collections WHERE name IN (SELECT value FROM json_each(?))`,
  );
  const newest = db.prepare<[number]>('SELECT commits FROM _state');
  const waiters = new Set<Waiter>();
  const subscribers = createLocalWakeUps();
  let subscriptions = 0;
  /** The last commit that subscribers were notified of. */
  let notified = 0;
  let isRunning = false;
  /** Whether subscribers have to be notified of more than the transaction that ran. */
  let isDeferred = false;
  let pause = new AbortController();
  let watching = false;

  const isNeeded = (): boolean => waiters.size + subscriptions > 0;
  const lastCommits = (collections: readonly string[]): Map<string, number> =>
    new Map(some.all([JSON.stringify(collections)]));
  const lastCommit = (): number => newest.get()![0];
  const stateOf = (commits: Map<string, number>, collections: readonly string[]): string =>
    collections.map(name => commits.get(name) ?? 'none').join();

  /** Notifies subscribers of commits by other processes. */
  const notifyOfOthers = (): void => {
    // What is being committed here may have a number already.
    if (subscriptions === 0) return;
    if (isRunning) {
      isDeferred = true;
      return;
    }
    const last = lastCommit();
    if (last === notified) return;
    const changed = all.all().filter(([, commit]) => commit > notified);
    notified = last;
    subscribers.notify(changed.map(([name]) => name));
  };

  const wakeChanged = (): void => {
    const commits = lastCommits([...new Set([...waiters].flatMap(({ collections }) => collections))]);
    for (const waiter of waiters) if (stateOf(commits, waiter.collections) !== waiter.seen) waiter.wake();
  };
  const wakeAll = (): void => {
    for (const waiter of waiters) waiter.wake();
  };
  const watch = async (): Promise<void> => {
    watching = true;
    try {
      while (isNeeded()) {
        const mark = db.commits.mark();
        if (waiters.size > 0) wakeChanged();
        notifyOfOthers();
        pause = new AbortController();
        const { signal } = pause;
        // Subscribers are notified of own commits by the transaction.
        if (isNeeded()) await db.commits.after(mark, { signal, byOthers: waiters.size === 0 });
      }
    } finally {
      // At once: who subscribes from now on has to start the loop.
      watching = false;
    }
  };
  const startWatching = (): void => {
    // The waiters read, and report the error themselves.
    if (!watching && isNeeded()) watch().catch(wakeAll);
  };

  return {
    wait: (collections, timeoutMs) =>
      new Promise(resolve => {
        const waiter: Waiter = {
          collections,
          seen: stateOf(lastCommits(collections), collections),
          wake: () => {
            clearTimeout(timer);
            waiters.delete(waiter);
            if (!isNeeded()) pause.abort();
            resolve();
          },
        };
        const timer = setTimeout(waiter.wake, timeoutMs);
        waiters.add(waiter);
        // The loop may be waiting for commits by others alone.
        if (waiters.size === 1) pause.abort();
        startWatching();
      }),

    subscribe(collection, onChange) {
      if (subscriptions++ === 0) notified = lastCommit();
      const unsubscribe = subscribers.subscribe(collection, onChange);
      let isSubscribed = true;
      startWatching();
      return () => {
        // A subscriber to several collections may end twice at one change; others are still subscribed.
        if (!isSubscribed) return;
        isSubscribed = false;
        unsubscribe();
        subscriptions--;
        if (!isNeeded()) pause.abort();
      };
    },

    async runAndNotify(transaction) {
      isRunning = true;
      try {
        const { count, last, writes } = await transaction();
        if (last === null || subscriptions === 0) return;
        // Before it came a commit of another process, or one without writes, such as a declaration.
        if (last - count !== notified) return void (isDeferred = true);
        notified = last;
        for (const [collection, parts] of changedParts(writes)) subscribers.notify([collection], parts);
      } finally {
        isRunning = false;
        if (isDeferred) pause.abort();
        isDeferred = false;
      }
    },

    close: wakeAll,
  };
}
