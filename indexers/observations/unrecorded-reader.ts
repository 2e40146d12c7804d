import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { atMost } from '../../contracts/engine/cache-bounds';
import { TooManyWaiting } from '../../contracts/fair-semaphore';
import {
  observationKey,
  observationQueue,
  type Clients,
  type UnrecordedObservation,
} from '../../contracts/observation/observation';
import type { Observed, ReadOptions, UnrecordedReader } from '../../contracts/observation/reader';
import { ALL_NETWORKS, type FollowedNetworks } from '../../contracts/network/network';
import { expectFollowed } from '../../contracts/network/network-off';
import { ReadNotBegun } from '../../contracts/observation/read-not-begun';
import { SiteFailed } from '../../contracts/observation/site-failed';
import { Problem } from '../../contracts/problem/problem';
import { monotonic } from '../../contracts/time/monotonic';
import { createFailureLog, outageScope } from './failure-log';
import type { SourceLimits } from './source-limits';

export interface UnrecordedReaderDeps {
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
export function createUnrecordedReader<Subject, Data>(
  observation: UnrecordedObservation<Subject, Data>,
  { clients, limits, logger, now, followed = ALL_NETWORKS, waitMs = 2_500 }: UnrecordedReaderDeps,
): UnrecordedReader<Subject, Data> {
  const { kind, source, schema, ttlMs, maxEntries, servesStale = true } = observation;
  const elapsed = monotonic(now);
  const failures = createFailureLog(logger, 'unrecorded observation failed', elapsed);
  const cache = new LRUCache<
    string,
    Observed<Data>,
    { readonly subject: Subject; readonly caller: string | undefined }
  >({
    ...atMost(maxEntries),
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: elapsed },
    allowStale: servesStale === true,
    noDeleteOnStaleGet: true,
    allowStaleOnFetchRejection: servesStale !== false,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    async fetchMethod(key, _stale, { signal, options, context: { subject, caller } }) {
      try {
        const asked = { key: observationKey(kind, key), caller, site: source.siteOf?.(subject) };
        return await limits.run(source, observationQueue(source, subject), asked, async turnOf => {
          const [at, begun] = [new Date(now()).toISOString(), elapsed()];
          const { height, data: read } = await observation.read(clients, subject, signal, turnOf);
          failures.answered(outageScope(source, subject), begun);
          const data = schema.parse(read);
          options.ttl = Math.max(1, ttlMs - (elapsed() - begun));
          return { height, data, at };
        });
      } catch (error) {
        // Callers can have so many wait as they like.
        if (error instanceof TooManyWaiting) logger.debug({ kind, key }, 'too many reads wait');
        else if (error instanceof SiteFailed) logger.debug({ kind, key, err: error }, 'site not read');
        else failures.failed(outageScope(source, subject), { kind, key }, error);
        throw error;
      }
    },
  });

  async function read(
    subject: Subject,
    { caller, minHeight = 0 }: ReadOptions & { readonly minHeight?: number } = {},
  ): Promise<Observed<Data>> {
    const network = source.chainOf?.(subject);
    if (network) expectFollowed(followed, [network]);
    const key = observation.subject.format(subject);
    const [queue, asked] = [observationQueue(source, subject), { key: observationKey(kind, key), caller }];
    const isOlder = (cache.peek(key)?.height ?? minHeight) < minHeight;
    const refresh = isOlder && { forceRefresh: true, allowStale: false };
    const reading = cache.fetch(key, { context: { subject, caller }, ...refresh });
    // Another caller may have asked for it, whose turn comes later.
    limits.join(queue, asked);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<undefined>(resolve => {
      timer = setTimeout(resolve, waitMs, undefined);
    });
    const found = await Promise.race([reading.catch(() => undefined), timeout]);
    clearTimeout(timer);
    const value = found ?? (servesStale === false ? undefined : cache.get(key, { allowStale: true }));
    if (value) return value;
    if (limits.isWaiting(queue, asked.key)) throw new ReadNotBegun();
    throw Problem.unavailable(`${kind} has not been read yet; try again.`, RETRY_AFTER_SECONDS);
  }
  return { read };
}
