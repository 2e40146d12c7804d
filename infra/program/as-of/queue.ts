import { AsOfNotReady } from '../../../projections/as-of/port';

/** Does one piece of work at a time, the others in the order they came. */
export interface Queue<Result> {
  /** Who asks for what is being done, or waits to be, shares it. @throws AsOfNotReady when too many wait */
  run(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
}

/** @param most pieces of work that may wait while one is being done */
export function createQueue<Result>(most: number): Queue<Result> {
  const pending = new Map<string, Promise<Result>>();
  let last: Promise<unknown> = Promise.resolve();

  return {
    run(key, work) {
      const shared = pending.get(key);
      if (shared) return shared;
      if (pending.size > most) return Promise.reject(new AsOfNotReady('too much else is to be done first'));
      const done = last.then(work).finally(() => pending.delete(key));
      pending.set(key, done);
      // Whoever has asked may have gone by the time it fails.
      last = done.catch(() => undefined);
      return done;
    },
    async idle() {
      while (pending.size > 0) await last;
    },
  };
}
