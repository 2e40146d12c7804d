import { Mutex } from 'async-mutex';
import { AsOfNotReady } from '../../../../../projections/as-of/port';

/** Runs one piece of work at a time, in the order of arrival. */
export interface BuildQueue<Result> {
  /** Callers with the same key share one run. @throws AsOfNotReady when too many wait, in all or of this caller */
  run(key: string, caller: string, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when the queue is empty. */
  idle(): Promise<void>;
}

interface QueueLimits {
  /** Pieces of work that may wait while one is running. */
  readonly maxWaiting: number;
  /** Of these, and the running one, those that one caller may have. */
  readonly maxPerCaller: number;
}

export function createBuildQueue<Result>({ maxWaiting, maxPerCaller }: QueueLimits): BuildQueue<Result> {
  const building = new Mutex();
  const pending = new Map<string, { readonly caller: string; readonly done: Promise<Result> }>();
  const ofCaller = (caller: string): number =>
    [...pending.values()].filter(each => each.caller === caller).length;

  return {
    run(key, caller, work) {
      const shared = pending.get(key);
      if (shared) return shared.done;
      if (ofCaller(caller) >= maxPerCaller)
        return Promise.reject(new AsOfNotReady(`${maxPerCaller} snapshots are being built for this caller`));
      if (pending.size > maxWaiting)
        return Promise.reject(new AsOfNotReady('too many snapshots are waiting to be built'));
      const done = building.runExclusive(work).finally(() => pending.delete(key));
      pending.set(key, { caller, done });
      // All callers may have timed out by the time it fails.
      done.catch(() => undefined);
      return done;
    },
    async idle() {
      while (pending.size > 0) await Promise.allSettled([...pending.values()].map(({ done }) => done));
    },
  };
}
