import { createFairSemaphore, TooManyWaiting } from '../../../../../contracts/fair-semaphore';
import { AsOfNotReady } from '../../../../../projections/as-of/port';

/** Runs one piece of work at a time: callers take turns, each with its oldest. */
export interface BuildQueue<Result> {
  /**
   * Callers with the same key share one run, which comes with the first turn of one of them. In a full queue the caller with most
   * loses its newest one to a caller with fewer.
   * @throws AsOfNotReady when too many wait, in all or of this caller
   */
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
  const building = createFairSemaphore({ maxConcurrent: 1, maxWaiting });
  const pending = new Map<string, { readonly caller: string; readonly done: Promise<Result> }>();
  const ofCaller = (caller: string): number =>
    [...pending.values()].filter(each => each.caller === caller).length;

  async function inTurn(key: string, caller: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await building.run({ caller, key }, work);
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      throw new AsOfNotReady('too many snapshots are waiting to be built');
    } finally {
      pending.delete(key);
    }
  }

  return {
    run(key, caller, work) {
      const shared = pending.get(key);
      if (shared) {
        building.join(key, caller);
        return shared.done;
      }
      if (ofCaller(caller) >= maxPerCaller)
        return Promise.reject(new AsOfNotReady(`${maxPerCaller} snapshots are being built for this caller`));
      const done = inTurn(key, caller, work);
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
