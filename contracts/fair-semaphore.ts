import { AsyncResource } from 'node:async_hooks';
import { createFairQueue } from './fair-queue';

export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}

/** Who asks for some work, and what it is. */
export interface AskedWork {
  readonly caller: string;
  /** What others may ask for as well while it waits. Default: something that nobody else asks for. */
  readonly key?: string | undefined;
  /** Whom it burdens, such as the host that is read, as of now. Default: nobody in particular. */
  readonly target?: (() => string) | undefined;
  /** As how much of what may run at a time it counts, at most all of it. Default 1. */
  readonly weight?: number;
}

/** Work of many callers, of which only so much runs at a time. */
export interface FairSemaphore {
  /** Whether nothing runs or waits. */
  readonly isIdle: boolean;
  /**
   * Runs the work when it is the caller's turn: callers take turns, each with what it has asked for first.
   * @param work is given the caller whose turn it is: the one that has asked, or one that has joined
   * @param signal work that waits when it fires is not run
   * @throws TooManyWaiting when too much waits, of which the caller has most; the reason of the signal
   */
  run<Result>(
    asked: AskedWork,
    work: (caller: string) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Has work that waits run with a turn of another caller, too, if that is sooner. */
  join(key: string, caller: string): void;
  /** Whether work waits for its turn. */
  isWaiting(key: string): boolean;
}

interface Waiting {
  readonly asked: AskedWork;
  /** Where it waits, one for each of its callers. */
  readonly places: Set<Place>;
  begin(caller: string): void;
  refuse(): void;
}

interface Place {
  readonly caller: string;
  readonly waiting: Waiting;
}

/**
 * @param options `maxWaiting` work of all callers together, beside what runs; `share` of what runs, that of one caller, and that
 * which burdens one target: others never wait for it; default: all of it. `exceedsShare`: a caller may have more while as much as a
 * share is left to others
 */
export function createFairSemaphore(options: {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  readonly share?: number;
  readonly exceedsShare?: boolean;
}): FairSemaphore {
  const { maxConcurrent, maxWaiting, share = maxConcurrent, exceedsShare = false } = options;
  const turns = createFairQueue<Place>(maxWaiting);
  const byKey = new Map<string, Waiting>();
  const running = new Set<{ readonly caller: string; readonly target: string | undefined }>();
  /** Of all that runs. */
  let weighs = 0;
  /** Whether work whose turn it is waits for more than is free: lighter work would otherwise overtake it again and again. */
  let isReserved = false;

  const fits = ({ weight = 1 }: AskedWork): boolean => weighs + weight <= maxConcurrent;

  function isWithinShares(caller: string, { target }: AskedWork): boolean {
    if (share >= maxConcurrent) return true;
    const all = [...running];
    const burdened = target?.();
    const ofTarget = burdened === undefined ? [] : all.filter(each => each.target === burdened);
    const isWithinShare =
      all.filter(each => each.caller === caller).length < share ||
      (exceedsShare && all.length < maxConcurrent - share);
    return isWithinShare && ofTarget.length < share;
  }

  async function runNow<Result>(
    caller: string,
    { target, weight = 1 }: AskedWork,
    work: (caller: string) => Promise<Result>,
  ): Promise<Result> {
    const slot = { caller, target: target?.() };
    running.add(slot);
    weighs += weight;
    try {
      return await work(caller);
    } finally {
      running.delete(slot);
      weighs -= weight;
      start();
    }
  }

  function leave(waiting: Waiting): void {
    for (const place of waiting.places) turns.remove(place.caller, place);
    const { key } = waiting.asked;
    if (key !== undefined && byKey.get(key) === waiting) byKey.delete(key);
  }

  function start(): void {
    for (;;) {
      isReserved = false;
      const next = turns.next(({ caller, waiting: { asked } }) => {
        if (isReserved || weighs >= maxConcurrent || !isWithinShares(caller, asked)) return false;
        isReserved = !fits(asked);
        return !isReserved;
      });
      if (!next) return;
      leave(next.waiting);
      next.waiting.begin(next.caller);
    }
  }

  function take(caller: string, waiting: Waiting): void {
    const place = { caller, waiting };
    waiting.places.add(place);
    const lost = turns.add(caller, place);
    if (!lost) return;
    lost.waiting.places.delete(lost);
    if (lost.waiting.places.size > 0) return;
    leave(lost.waiting);
    lost.waiting.refuse();
  }

  return {
    get isIdle() {
      return running.size === 0 && turns.size === 0;
    },
    run<Result>(asked: AskedWork, work: (caller: string) => Promise<Result>, signal?: AbortSignal) {
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      const { caller, key } = asked;
      if (!isReserved && fits(asked) && isWithinShares(caller, asked)) return runNow(caller, asked, work);
      // It would run in the context of the work that ends before it.
      const inContext = AsyncResource.bind(work);
      return new Promise<Result>((resolve, reject) => {
        const end = (): void => signal?.removeEventListener('abort', giveUp);
        const waiting: Waiting = {
          asked,
          places: new Set(),
          begin(by) {
            end();
            resolve(runNow(by, asked, inContext));
          },
          refuse() {
            end();
            reject(new TooManyWaiting('too much work of this caller waits'));
          },
        };
        const giveUp = (): void => {
          leave(waiting);
          reject(signal!.reason as Error);
          if (isReserved) start();
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        if (key !== undefined) byKey.set(key, waiting);
        take(caller, waiting);
        if (asked.weight !== undefined) start();
      });
    },
    join(key, caller) {
      const waiting = byKey.get(key);
      if (!waiting || [...waiting.places].some(place => place.caller === caller)) return;
      take(caller, waiting);
      start();
    },
    isWaiting: key => byKey.has(key),
  };
}
