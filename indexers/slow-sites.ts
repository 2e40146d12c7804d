import { LRUCache } from 'lru-cache';
import { atMost } from '../contracts/engine/cache-bounds';

/** A site whose last read took as long is slow, until one is quick again, or for ten minutes. */
export const SLOW_MS = 2_000;
const SLOW_FOR_MS = 600_000;
const MAX_SLOW = 10_000;
/** No site is named like this. */
const SLOW_SITES = '';

/** Which of the sites that anybody may have named make readers wait. */
export interface SlowSites {
  /** The target of a read, for its share: all sites that are slow have one together. */
  targetOf(site: string): string;
  /** Reads, and remembers whether the site was slow. */
  timed<T>(site: string, read: () => Promise<T>): Promise<T>;
}

/** @param now milliseconds */
export function createSlowSites(now: () => number = () => performance.now()): SlowSites {
  const slow = new LRUCache<string, true>({
    ...atMost(MAX_SLOW),
    ttl: SLOW_FOR_MS,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    targetOf: site => (slow.has(site) ? SLOW_SITES : site),
    async timed(site, read) {
      const begun = now();
      try {
        return await read();
      } finally {
        if (now() - begun >= SLOW_MS) slow.set(site, true);
        else slow.delete(site);
      }
    },
  };
}
