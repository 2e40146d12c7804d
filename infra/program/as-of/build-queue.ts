import { Mutex } from 'async-mutex';
import { AsOfNotReady } from '../../../projections/as-of/port';

/** Runs one piece of work at a time, in the order of arrival. */
export interface BuildQueue<Result> {
  /** Callers with the same key share one run. @throws AsOfNotReady when too many wait */
  run(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when the queue is empty. */
  idle(): Promise<void>;
}

/** @param maxWaiting pieces of work that may wait while one is running */
export function createBuildQueue<Result>(maxWaiting: number): BuildQueue<Result> {
  const building = new Mutex();
  const pending = new Map<string, Promise<Result>>();

  return {
    run(key, work) {
      const shared = pending.get(key);
      if (shared) return shared;
      if (pending.size > maxWaiting)
        return Promise.reject(new AsOfNotReady('too many snapshots are waiting to be built'));
      const done = building.runExclusive(work).finally(() => pending.delete(key));
      pending.set(key, done);
      // All callers may have timed out by the time it fails.
      done.catch(() => undefined);
      return done;
    },
    async idle() {
      while (pending.size > 0) await Promise.allSettled(pending.values());
    },
  };
}
