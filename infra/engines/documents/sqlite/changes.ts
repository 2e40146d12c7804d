import type { Database } from '../../sqlite/database';

/** Each collection carries the number of the last commit that touched it. */
export interface Changes {
  after(collections: readonly string[], timeout: number): Promise<void>;
  close(): void;
}

interface Waiter {
  readonly collections: readonly string[];
  readonly seen: string;
  wake(): void;
}

/** Counts a commit to these collections. Inside its transaction. */
export function recordChange(db: Database, collections: readonly string[]): void {
  const [commits] = db.prepare<[number]>('UPDATE _state SET commits = commits + 1 RETURNING commits').get()!;
  db.prepare('UPDATE _collections SET changed = ? WHERE name IN (SELECT value FROM json_each(?))').run([
    commits,
    JSON.stringify(collections),
  ]);
}

/** One look at the file for all who wait, however many they are. */
export function trackChanges(db: Database): Changes {
  const all = db.prepare<[string, number]>('SELECT name, changed FROM _collections');
  const waiters = new Set<Waiter>();
  let idle = new AbortController();
  let watching = false;

  const look = (): Map<string, number> => new Map(all.all());
  const seenIn = (state: Map<string, number>, collections: readonly string[]): string =>
    collections.map(name => state.get(name) ?? 'none').join();

  const wakeAll = (): void => {
    for (const waiter of waiters) waiter.wake();
  };
  const watch = async (): Promise<void> => {
    while (waiters.size > 0) {
      const mark = db.commits.mark();
      const state = look();
      for (const waiter of waiters) if (seenIn(state, waiter.collections) !== waiter.seen) waiter.wake();
      idle = new AbortController();
      if (waiters.size > 0) await db.commits.after(mark, { signal: idle.signal });
    }
  };
  const watchOnce = async (): Promise<void> => {
    if (watching) return;
    watching = true;
    // Whoever waits looks again by himself, and finds out what is wrong with the file.
    await watch().catch(wakeAll);
    watching = false;
  };

  return {
    after: (collections, timeout) =>
      new Promise(resolve => {
        const waiter: Waiter = {
          collections,
          seen: seenIn(look(), collections),
          wake: () => {
            clearTimeout(timer);
            waiters.delete(waiter);
            if (waiters.size === 0) idle.abort();
            resolve();
          },
        };
        const timer = setTimeout(waiter.wake, timeout);
        waiters.add(waiter);
        void watchOnce();
      }),
    close: wakeAll,
  };
}
