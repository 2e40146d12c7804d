import { LRUCache } from 'lru-cache';
import type { UnreadApps, UnreadApp } from '../../contracts/chain/app-metadata';
import { atMost } from '../../contracts/engine/cache-bounds';
import { shareOf } from '../../contracts/bound';
import { createFairSemaphore, TooManyWaiting } from '../../contracts/fair-semaphore';
import type { PublicWeb } from '../../contracts/ports/public-web';
import { monotonic } from '../../contracts/time/monotonic';
import { registrableDomain } from '../../contracts/url/web-domain';
import { createSlowSites, type SlowSites } from '../slow-sites';
import { HostBusy, type HostLimit } from './host-limit';
import { parseUrl } from '../../contracts/url/parse-url';

/** Reads at a time of applications that nobody knows, and of those that operators do: neither waits for the other. */
export const UNREAD_SLOTS = 8;
const KNOWN_SLOTS = 4;
/** Reads that wait. */
export const MAX_WAITING = 400;

/** Of a read with all of its requests: a stored one is read in the background, where more time is well spent. */
const READ_MS = 5_000;
/** Of one request. */
const REQUEST_MS = 2_500;

/** Reads that a caller shares with others until it has one of its own. */
const MAX_ATTEMPTS = 3;

const CACHED_MS = 300_000;
const MAX_CACHED = 500;

interface UnreadDeps {
  readonly web: PublicWeb;
  readonly hosts: HostLimit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How long a caller waits, in milliseconds. */
  readonly waitMs: number;
  /** Fires when the program stops. */
  readonly signal: AbortSignal;
}

/**
 * Reads what applications say of themselves that were not observed so far; nothing is stored of it, and that one could not be
 * read is remembered too. Its slots are its own: addresses that were made up delay no refresh of a known application.
 */
export function createUnreadApps(deps: UnreadDeps): UnreadApps {
  const { hosts, now, waitMs } = deps;
  const elapsed = monotonic(now);
  const cache = new LRUCache<string, UnreadApp>({
    ...atMost(MAX_CACHED),
    ttl: CACHED_MS,
    perf: { now: elapsed },
    ttlResolution: 0,
  });
  const slow = createSlowSites();
  const known = createReads(KNOWN_SLOTS, slow);
  const unknown = createReads(UNREAD_SLOTS, slow);

  async function readFor(url: string, caller: string, isKnown: boolean): Promise<UnreadApp> {
    const [at, begun] = [new Date(now()).toISOString(), elapsed()];
    const timeLimit = (): number => Math.min(REQUEST_MS, begun + READ_MS - elapsed());
    const admit = (hostname: string): Promise<void> => hosts.admit(hostname, { caller, isKnown });
    const { readApp } = await import('../apps/read-app.js');
    const data = await readApp({ web: deps.web, caller, admit, timeLimit }, url, deps.signal);
    const read = { data, at };
    cache.set(url, read);
    return read;
  }

  /** Null where the caller has asked for too much of a host, or of everything. */
  async function read(url: string, caller: string, isKnown: boolean): Promise<UnreadApp | null> {
    const reads = isKnown ? known : unknown;
    for (let attempt = 1; ; attempt++) {
      let reader: string | null = null;
      try {
        return await reads.join(url, caller, by => {
          reader = by;
          return readFor(url, by, isKnown);
        });
      } catch (error) {
        if (error instanceof TooManyWaiting) return null;
        if (!(error instanceof HostBusy)) throw error;
        // It was another caller who may not ask the host.
        if (reader === caller || attempt === MAX_ATTEMPTS) return null;
      }
    }
  }

  return {
    async read(url, { caller, isKnown }) {
      const cached = cache.get(url);
      if (cached) return cached;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<null>(resolve => {
        timer = setTimeout(resolve, waitMs, null);
      });
      try {
        return await Promise.race([read(url, caller, isKnown), timeout]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

interface Reads {
  /** Reads an application once for all who ask for it, with the turn of the caller whose is soonest. @throws TooManyWaiting */
  join(url: string, caller: string, read: (caller: string) => Promise<UnreadApp>): Promise<UnreadApp>;
}

function createReads(maxConcurrent: number, slow: SlowSites): Reads {
  const share = shareOf(maxConcurrent);
  const turns = createFairSemaphore({ maxConcurrent, maxWaiting: MAX_WAITING, share });
  const reads = new Map<string, Promise<UnreadApp>>();
  return {
    join(url, caller, read) {
      const known = reads.get(url);
      if (known) {
        turns.join(url, caller);
        return known;
      }
      const site = registrableDomain(parseUrl(url)!.hostname);
      const asked = { caller, key: url, target: () => slow.targetOf(site) };
      const reading = turns
        .run(asked, by => slow.timed(site, () => read(by)))
        .finally(() => reads.delete(url));
      reads.set(url, reading);
      return reading;
    },
  };
}
