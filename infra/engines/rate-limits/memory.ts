import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { atMost } from '../../../contracts/engine/cache-bounds';
import type { RateLimits } from '../../../contracts/ports/rate-limits';
import { consume, perQuota, type Quotas } from './quotas';

/**
 * Keys counted at a time: of all quotas of a minute together, and of each quota of a day, so that no other calls evict what everybody
 * has left within the day. Beyond it the least recently used key is evicted, and its count starts at 0 again.
 */
export const MAX_KEYS = 50_000;
export const MAX_KEYS_OF_DAY = 5_000;

const MINUTE_SECONDS = 60;

/** Limits of one process. */
export function createMemoryLimits(quotas: Quotas): RateLimits {
  const ofMinute = createKnownKeys(MAX_KEYS, MINUTE_SECONDS);
  const counters = perQuota(quotas, (name, { calls, seconds }) => {
    const limiter = new RateLimiterMemory({ keyPrefix: name, points: calls, duration: seconds });
    const known = seconds === MINUTE_SECONDS ? ofMinute : createKnownKeys(MAX_KEYS_OF_DAY, seconds);
    return { limiter, count: (key: string) => void known.set(`${name} ${key}`, { limiter, key }) };
  });
  return {
    async consume(quota, key, cost = 1) {
      const counter = counters.get(quota);
      if (!counter) return null;
      counter.count(key);
      return consume(counter.limiter, key, cost);
    },
  };
}

interface Counter {
  readonly limiter: RateLimiterMemory;
  readonly key: string;
}

const createKnownKeys = (max: number, seconds: number): LRUCache<string, Counter> =>
  new LRUCache({
    ...atMost(max),
    ttl: seconds * 1_000,
    noDisposeOnSet: true,
    noUpdateTTL: true,
    dispose: ({ limiter, key }, _, reason) => {
      if (reason === 'evict') void limiter.delete(key);
    },
  });
