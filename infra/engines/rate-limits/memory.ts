import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { shareLeft } from '../../../contracts/bound';
import { atMost } from '../../../contracts/engine/cache-bounds';
import type { RateLimits, ShareExceeded, ShareKeys } from '../../../contracts/ports/rate-limits';
import { consume, MINUTE_SECONDS, perQuota, secondsLeftOfDay, type Quotas } from './quotas';

/**
 * Keys counted at a time: of all quotas of a minute together, and of each quota of a day, so that no other calls evict what everybody
 * has left within the day. Beyond it the least recently used key is evicted, and its count starts at 0 again.
 */
export const MAX_KEYS = 50_000;
export const MAX_KEYS_OF_DAY = 5_000;

/** Limits of one process. */
export function createMemoryLimits(perMinute: Quotas, perDay: Quotas = {}): RateLimits {
  const known = new LRUCache<string, { readonly limiter: RateLimiterMemory; readonly key: string }>({
    ...atMost(MAX_KEYS),
    ttl: MINUTE_SECONDS * 1_000,
    noDisposeOnSet: true,
    noUpdateTTL: true,
    dispose: ({ limiter, key }, _, reason) => {
      if (reason === 'evict') void limiter.delete(key);
    },
  });
  const limiters = perQuota(
    perMinute,
    (name, calls) => new RateLimiterMemory({ keyPrefix: name, points: calls, duration: MINUTE_SECONDS }),
  );
  const days = perQuota(perDay, (_name, calls) => createDay(calls));
  return {
    async consume(quota, key, cost = 1) {
      const limiter = limiters.get(quota);
      if (!limiter) return null;
      known.set(`${quota} ${key}`, { limiter, key });
      return consume(limiter, key, cost);
    },
    takeShare: async (quota, keys, cost) => days.get(quota)?.(keys, cost) ?? null,
  };
}

/** Counts what callers leave within a day. */
function createDay(quota: number): (keys: ShareKeys, cost: number) => ShareExceeded | null {
  const counts = new LRUCache<string, number>(atMost(MAX_KEYS_OF_DAY));
  let endsAt = 0;
  return ({ everybody, own }, cost) => {
    if (Date.now() >= endsAt) {
      counts.clear();
      endsAt = Date.now() + secondsLeftOfDay() * 1_000;
    }
    const [all, ofCaller] = [counts.get(everybody) ?? 0, counts.get(own) ?? 0];
    if (shareLeft(quota, all, ofCaller) < cost) return { quota, resetsIn: secondsLeftOfDay() };
    counts.set(everybody, all + cost);
    counts.set(own, ofCaller + cost);
    return null;
  };
}
