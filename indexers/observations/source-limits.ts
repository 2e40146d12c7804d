import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import { shareOf } from '../../contracts/bound';
import { createFairSemaphore } from '../../contracts/fair-semaphore';
import type { ObservationSource } from '../../contracts/observation/observation';
import { createSlowSites } from '../slow-sites';

export const DEFAULT_MAX_CONCURRENT = 8;
const MAX_WAITING = 1_000;
/** More than may wait or run: the job of a caller with few is taken out of the queue while those of another have all places. */
const MAX_TAKEN = MAX_WAITING + 200;

/** What is read, and for whom. */
export interface AskedRead {
  readonly key: string;
  /** For its turn among the reads that wait. Default: nobody in particular, who have one together. */
  readonly caller?: string | undefined;
  /** The `siteOf` what is read. */
  readonly site?: string | undefined;
  /** A read that waits when it fires is not begun. */
  readonly signal?: AbortSignal | undefined;
}

/** The limits of all sources of this process. */
export interface SourceLimits {
  /**
   * Runs a read of a source once the limits of its queue allow it. Callers take turns, each with its oldest read.
   * @param read is given the caller whose turn it is
   * @throws TooManyWaiting when too many wait, of which the caller has most; the reason of the signal
   */
  run<T>(
    source: ObservationSource,
    queue: string,
    asked: AskedRead,
    read: (caller: string) => Promise<T>,
  ): Promise<T>;
  /** Has a read that waits come with a turn of another caller, too, if that is sooner. */
  join(queue: string, asked: Pick<AskedRead, 'key' | 'caller'>): void;
  /** Whether a read waits for its turn. */
  isWaiting(queue: string, key: string): boolean;
}

/** Jobs of a source that a process takes out of its queue at a time; of one with sites also those that wait for a turn. */
export function jobsTaken(source: ObservationSource): number {
  return source.siteOf ? MAX_TAKEN : (source.maxConcurrent ?? DEFAULT_MAX_CONCURRENT);
}

const NOBODY = '';

/** @param now milliseconds, for how long reads take */
export function createSourceLimits(now: () => number = () => performance.now()): SourceLimits {
  const queues = new Map<string, ReturnType<typeof createQueue>>();
  return {
    run(source, name, asked, read) {
      const queue = queues.get(name) ?? createQueue(source, now);
      queues.set(name, queue);
      return queue.run(asked, read);
    },
    join: (name, { key, caller = NOBODY }) => queues.get(name)?.turns.join(key, caller),
    isWaiting: (name, key) => queues.get(name)?.turns.isWaiting(key) ?? false,
  };
}

function createQueue(source: ObservationSource, now: () => number) {
  const { maxConcurrent = DEFAULT_MAX_CONCURRENT, maxPerSecond, siteOf, hasShares } = source;
  const rate =
    maxPerSecond === undefined
      ? null
      : new RateLimiterQueue(new RateLimiterMemory({ points: maxPerSecond, duration: 1 }));
  const turns = createFairSemaphore({
    maxConcurrent,
    maxWaiting: MAX_WAITING,
    ...((siteOf || hasShares) && { share: shareOf(maxConcurrent) }),
  });
  const slow = createSlowSites(now);

  return {
    turns,
    run<T>(
      { key, caller = NOBODY, site, signal }: AskedRead,
      read: (caller: string) => Promise<T>,
    ): Promise<T> {
      const target = site === undefined ? undefined : () => slow.targetOf(site);
      const work = async (turnOf: string): Promise<T> => {
        await rate?.removeTokens(1);
        return site === undefined ? read(turnOf) : slow.timed(site, () => read(turnOf));
      };
      return turns.run({ key, caller, target }, work, signal);
    },
  };
}
