import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import { createFairQueue } from '../../contracts/fair-queue';
import { TooManyWaiting } from '../../contracts/fair-semaphore';
import type { ObservationSource } from '../../contracts/observation/observation';

export const DEFAULT_MAX_CONCURRENT = 8;
const MAX_WAITING = 1_000;

/** What is read, and for whom. */
export interface AskedRead {
  readonly key: string;
  /** For its turn among the reads that wait. Default: nobody in particular, who have one together. */
  readonly caller?: string | undefined;
}

/** The limits of all sources of this process. */
export interface SourceLimits {
  /**
   * Runs a read of a source once the limits of its queue allow it. Callers take turns, each with its oldest read.
   * @throws TooManyWaiting when too many wait, of which the caller has most
   */
  run<T>(source: ObservationSource, queue: string, asked: AskedRead, read: () => Promise<T>): Promise<T>;
  /** Has a read that waits come with a turn of another caller, too, if that is sooner. */
  join(queue: string, asked: AskedRead): void;
  /** Whether a read waits for its turn. */
  isWaiting(queue: string, key: string): boolean;
}

interface Waiting {
  readonly key: string;
  /** Where it waits, one for each of its callers. */
  readonly places: Set<Place>;
  begin(): Promise<void>;
  refuse(): void;
}

interface Place {
  readonly caller: string;
  readonly waiting: Waiting;
}

type Queue = ReturnType<typeof createQueue>;

function createQueue({ maxConcurrent = DEFAULT_MAX_CONCURRENT, maxPerSecond }: ObservationSource) {
  const rate =
    maxPerSecond === undefined
      ? null
      : new RateLimiterQueue(new RateLimiterMemory({ points: maxPerSecond, duration: 1 }));
  const turns = createFairQueue<Place>(MAX_WAITING);
  const byKey = new Map<string, Waiting>();
  let running = 0;

  const leave = (waiting: Waiting): void => {
    if (byKey.get(waiting.key) === waiting) byKey.delete(waiting.key);
  };

  function start(): void {
    while (running < maxConcurrent) {
      const next = turns.next();
      if (!next) return;
      const { waiting } = next;
      for (const place of waiting.places) turns.remove(place.caller, place);
      leave(waiting);
      running++;
      void waiting.begin().finally(() => {
        running--;
        start();
      });
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
    run<T>({ key, caller = '' }: AskedRead, read: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const begin = async (): Promise<void> => {
          try {
            await rate?.removeTokens(1);
            resolve(await read());
          } catch (error) {
            reject(error as Error);
          }
        };
        const refuse = (): void => reject(new TooManyWaiting('too many reads wait for the source'));
        const waiting: Waiting = { key, places: new Set(), begin, refuse };
        byKey.set(key, waiting);
        take(caller, waiting);
        start();
      });
    },
    join({ key, caller = '' }: AskedRead): void {
      const waiting = byKey.get(key);
      if (waiting && ![...waiting.places].some(place => place.caller === caller)) take(caller, waiting);
    },
    isWaiting: (key: string): boolean => byKey.has(key),
  };
}

export function createSourceLimits(): SourceLimits {
  const queues = new Map<string, Queue>();
  return {
    run(source, name, asked, read) {
      const queue = queues.get(name) ?? createQueue(source);
      queues.set(name, queue);
      return queue.run(asked, read);
    },
    join: (name, asked) => queues.get(name)?.join(asked),
    isWaiting: (name, key) => queues.get(name)?.isWaiting(key) ?? false,
  };
}
