import { bulkhead } from 'cockatiel';
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import type { ObservationSource } from '../../contracts/observation/observation';

export const DEFAULT_MAX_CONCURRENT = 8;
const MAX_WAITING = 1_000;

/** The limits of all sources of this process. */
export interface SourceLimits {
  /** Runs a read of a source once the limits of its queue allow it. @throws BulkheadRejectedError when too many wait */
  run<T>(source: ObservationSource, queue: string, read: () => Promise<T>): Promise<T>;
}

export function createSourceLimits(): SourceLimits {
  type Limit = <T>(read: () => Promise<T>) => Promise<T>;
  const limits = new Map<string, Limit>();
  const create = ({ maxConcurrent = DEFAULT_MAX_CONCURRENT, maxPerSecond }: ObservationSource): Limit => {
    const concurrency = bulkhead(maxConcurrent, MAX_WAITING);
    if (maxPerSecond === undefined) return read => concurrency.execute(read);
    const rate = new RateLimiterQueue(new RateLimiterMemory({ points: maxPerSecond, duration: 1 }));
    return read =>
      concurrency.execute(async () => {
        await rate.removeTokens(1);
        return read();
      });
  };
  return {
    run(source, queue, read) {
      const limit = limits.get(queue) ?? create(source);
      limits.set(queue, limit);
      return limit(read);
    },
  };
}
