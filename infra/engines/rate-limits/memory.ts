import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimits } from '../../../services/http/limits';
import { byPolicy, MINUTE, standing, type Quotas } from './quotas';

/** Keys of one policy that are counted at a time; beyond, the one seen longest ago begins anew. */
const MOST_KEYS = 50_000;

/** Limits of one process. */
export function createMemoryLimits(quotas: Quotas): RateLimits {
  const counters = byPolicy(quotas, (policy, points) => {
    const limiter = new RateLimiterMemory({ keyPrefix: policy, points, duration: MINUTE });
    const known = new LRUCache<string, true>({
      max: MOST_KEYS,
      ttl: MINUTE * 1_000,
      noDisposeOnSet: true,
      noUpdateTTL: true,
      dispose: (_, key, reason) => {
        if (reason === 'evict') void limiter.delete(key);
      },
    });
    return { limiter, known };
  });
  return {
    async take(policy, key) {
      const counter = counters[policy];
      if (!counter) return null;
      counter.known.set(key, true);
      return standing(counter.limiter, key);
    },
  };
}
