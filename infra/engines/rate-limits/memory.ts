import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { atMost } from '../../../contracts/engine/cache-bounds';
import type { RateLimits } from '../../../contracts/ports/rate-limits';
import { consume, perQuota, type Quotas } from './quotas';

/** Keys counted at a time, per quota. Beyond it the least recently used key is evicted, and its count starts at 0 again. */
const MAX_KEYS = 50_000;

/** Limits of one process. */
export function createMemoryLimits(quotas: Quotas): RateLimits {
  const counters = perQuota(quotas, (name, { calls, seconds }) => {
    const limiter = new RateLimiterMemory({ keyPrefix: name, points: calls, duration: seconds });
    const known = new LRUCache<string, true>({
      ...atMost(MAX_KEYS),
      ttl: seconds * 1_000,
      noDisposeOnSet: true,
      noUpdateTTL: true,
      dispose: (_, key, reason) => {
        if (reason === 'evict') void limiter.delete(key);
      },
    });
    return { limiter, known };
  });
  return {
    async consume(quota, key, cost = 1) {
      const counter = counters.get(quota);
      if (!counter) return null;
      counter.known.set(key, true);
      return consume(counter.limiter, key, cost);
    },
  };
}
