import { failureLevel } from '../../../contracts/engine/engine-unavailable';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { atMost } from '../../../contracts/engine/cache-bounds';
import {
  appDomain,
  type AppMetadata,
  type AppObserved,
  type UnreadApps,
} from '../../../contracts/chain/app-metadata';
import type { ObservedReader } from '../../../contracts/observation/reader';
import type { Source } from '../../../contracts/ports/documents';
import type { RateLimits } from '../../../contracts/ports/rate-limits';
import { Problem } from '../../../contracts/problem/problem';
import type { Views } from '../../../projections/views';
import { addressKey } from '../../../contracts/http/address-key';
import { createFirstReadLimit } from '../../http/limits';
import type { Reader } from '../../watch-account';

/** What an application says of itself, and when it was read (RFC 3339). */
export interface KnownApp {
  readonly metadata: AppMetadata;
  readonly at: string;
}

export interface AppReader {
  /** What is stored of an application; null when nothing is. */
  find(url: string): Promise<KnownApp | null>;
  /** The source of what `find` reads. */
  source(url: string): Source;
  /** Has what is stored since an instant (RFC 3339) read again in the background, once it is stale. */
  refresh(url: string, at: string): void;
  /**
   * Reads an application of which nothing is stored; waits for it a bounded time. Null when nothing is known by then, when it
   * cannot be read, or when the caller has asked for too many. Never rejects.
   */
  readUnread(url: string, caller: Reader): Promise<KnownApp | null>;
}

export interface AppReaderDeps {
  readonly views: Pick<Views, 'count'>;
  readonly observed: ObservedReader<string, AppObserved>;
  /** Reads what was not observed so far, through a cache that also knows what could not be read. */
  readonly unread: UnreadApps;
  /** Whether operators know an application: it does not wait behind those that nobody knows. */
  readonly isKnown: (url: string) => Promise<boolean>;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  /** Applications that may be stored; 0 is no limit. Others are read again after they are no longer cached. */
  readonly maxStored: number;
  readonly logger: Logger;
}

/** Applications of one registrable domain that are stored: who has one can make any number of hosts and paths. */
export const MAX_STORED_OF_DOMAIN = 50;

/** Between two requests to store an application, while it is read from memory. */
const REQUEST_MS = 60_000;
const MAX_REQUESTED = 10_000;

/**
 * Reads what applications say of themselves. Anybody can think of any number of addresses: what is stored was read once, and is
 * bounded, by domain too; all else is bounded memory.
 */
export function createAppReader(deps: AppReaderDeps): AppReader {
  const { views, observed, unread, isKnown, limits, maxStored, logger } = deps;
  const limitFirstRead = createFirstReadLimit(limits);
  const requested = new LRUCache<string, true>({ ...atMost(MAX_REQUESTED), ttl: REQUEST_MS });

  async function isRoom(url: string): Promise<boolean> {
    if (maxStored > 0 && (await views.count(observed.collection)) >= maxStored) return false;
    const ofDomain = await observed.findPart(appDomain(url), MAX_STORED_OF_DOMAIN);
    return ofDomain.length < MAX_STORED_OF_DOMAIN;
  }

  async function store(url: string): Promise<void> {
    if (requested.has(url)) return;
    requested.set(url, true);
    if (await isRoom(url)) await observed.request(url);
  }

  return {
    source: url => observed.source(url),
    async find(url) {
      const found = await observed.find(url);
      return found?.data ? { metadata: found.data, at: found.at } : null;
    },
    refresh(url, at) {
      if (observed.isStale(at)) void observed.request(url);
    },
    async readUnread(url, caller) {
      try {
        await limitFirstRead(`app ${url}`, caller);
        const asked = { caller: addressKey(caller.ip), isKnown: await isKnown(url) };
        const read = await unread.read(url, asked);
        if (!read?.data) return null;
        await store(url);
        return { metadata: read.data, at: read.at };
      } catch (error) {
        // Wallets show nothing at all when a read fails: that nothing is known is an answer.
        if (!(error instanceof Problem))
          logger[failureLevel(error, 'warn')]({ url, err: error }, 'application could not be read');
        return null;
      }
    },
  };
}
