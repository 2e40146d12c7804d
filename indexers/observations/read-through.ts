import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { atMost } from '../../contracts/engine/cache-bounds';
import { observationQueue, type Clients } from '../../contracts/observation/observation';
import { ALL_NETWORKS, type FollowedNetworks } from '../../contracts/network/network';
import { expectFollowed } from '../../contracts/network/network-off';
import { Problem } from '../../contracts/problem/problem';
import type { CachedValue, ReadThrough, ReadThroughReader } from '../../contracts/observation/read-through';
import type { SourceLimits } from './source-limits';

export interface ReadThroughDeps {
  readonly clients: Clients;
  readonly limits: SourceLimits;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The networks that the instance serves; default: all. */
  readonly followed?: FollowedNetworks;
  /** Milliseconds to wait for a value that is not cached; default 2,500. */
  readonly waitMs?: number;
}

const RETRY_AFTER_SECONDS = 2;

/**
 * Reads a source through a cache. Concurrent reads of one subject are coalesced. A value older than its time to live is
 * served as `servesStale` says.
 */
export function createReadThrough<Subject, Data>(
  definition: ReadThrough<Subject, Data>,
  { clients, limits, logger, now, followed = ALL_NETWORKS, waitMs = 2_500 }: ReadThroughDeps,
): ReadThroughReader<Subject, Data> {
  const { name, source, schema, ttlMs, maxEntries, servesStale = true } = definition;
  const cache = new LRUCache<string, CachedValue<Data>, { readonly subject: Subject }>({
    ...atMost(maxEntries),
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now },
    allowStale: servesStale === true,
    noDeleteOnStaleGet: true,
    allowStaleOnFetchRejection: servesStale !== false,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    async fetchMethod(key, _stale, { signal, options, context: { subject } }) {
      try {
        return await limits.run(source, observationQueue(source, subject), async () => {
          const begun = now();
          const data = schema.parse(await definition.read(clients, subject, signal));
          options.ttl = Math.max(1, ttlMs - (now() - begun));
          return { data, at: new Date(begun).toISOString() };
        });
      } catch (error) {
        logger.warn({ name, key, err: error }, 'read-through failed');
        throw error;
      }
    },
  });

  return async subject => {
    const network = source.chainOf?.(subject);
    if (network) expectFollowed(followed, [network]);
    const key = definition.key(subject);
    const reading = cache.fetch(key, { context: { subject } });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<undefined>(resolve => {
      timer = setTimeout(resolve, waitMs, undefined);
    });
    const read = await Promise.race([reading.catch(() => undefined), timeout]);
    clearTimeout(timer);
    const value = read ?? (servesStale === false ? undefined : cache.get(key, { allowStale: true }));
    if (!value) throw Problem.unavailable(`${name} has not been read yet; try again.`, RETRY_AFTER_SECONDS);
    return value;
  };
}
