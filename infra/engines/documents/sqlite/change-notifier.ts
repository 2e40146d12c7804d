import type { Database } from '../../sqlite/database';

/** Wakes waiters when the collections they wait for have changed. */
export interface ChangeNotifier {
  wait(collections: readonly string[], timeoutMs: number): Promise<void>;
  /** Wakes all waiters. */
  close(): void;
}

interface Waiter {
  readonly collections: readonly string[];
  readonly seen: string;
  wake(): void;
}

/** Stores the number of this commit with the collections. To be called inside its transaction. */
export function recordChange(db: Database, collections: readonly string[]): void {
  const [commits] = db.prepare<[number]>('UPDATE _state SET commits = commits + 1 RETURNING commits').get()!;
  db.prepare('UPDATE _collections SET last_commit = ? WHERE name IN (SELECT value FROM json_each(?))').run([
    commits,
    JSON.stringify(collections),
  ]);
}

/** One loop reads the commit numbers of the collections for all waiters. */
export function createChangeNotifier(db: Database): ChangeNotifier {
  const all = db.prepare<[string, number]>('SELECT name, last_commit FROM _collections');
  const waiters = new Set<Waiter>();
  let idle = new AbortController();
  let watching = false;

  const lastCommits = (): Map<string, number> => new Map(all.all());
  const stateOf = (commits: Map<string, number>, collections: readonly string[]): string =>
    collections.map(name => commits.get(name) ?? 'none').join();

  const wakeAll = (): void => {
    for (const waiter of waiters) waiter.wake();
  };
  const watch = async (): Promise<void> => {
    while (waiters.size > 0) {
      const mark = db.commits.mark();
      const commits = lastCommits();
      for (const waiter of waiters) if (stateOf(commits, waiter.collections) !== waiter.seen) waiter.wake();
      idle = new AbortController();
      if (waiters.size > 0) await db.commits.after(mark, { signal: idle.signal });
    }
  };
  const startWatching = async (): Promise<void> => {
    if (watching) return;
    watching = true;
    // The waiters read, and report the error themselves.
    await watch().catch(wakeAll);
    watching = false;
  };

  return {
    wait: (collections, timeoutMs) =>
      new Promise(resolve => {
        const waiter: Waiter = {
          collections,
          seen: stateOf(lastCommits(), collections),
          wake: () => {
            clearTimeout(timer);
            waiters.delete(waiter);
            if (waiters.size === 0) idle.abort();
            resolve();
          },
        };
        const timer = setTimeout(waiter.wake, timeoutMs);
        waiters.add(waiter);
        void startWatching();
      }),
    close: wakeAll,
  };
}
