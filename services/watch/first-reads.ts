import { FIRST_READS } from '../../contracts/quota';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { atMost } from '../../contracts/engine/cache-bounds';
import { accountKey } from '../../contracts/network/network';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { Problem } from '../../contracts/problem/problem';
import type { Views } from '../../projections/views';
import { WATCHED_ACCOUNTS } from '../../projections/watch/watched-accounts';
import { limitAddress } from '../http/limits';
import type { AdmitFirstRead } from '../watch-account';

interface FirstReadDeps {
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly views: Pick<Views, 'count' | 'getMany'>;
  /** Accounts that may be watched at a time; 0 is no limit. Several processes may exceed it by what they admit at once. */
  readonly maxWatched: number;
  readonly logger: Logger;
}

const WARNING_MS = 60_000;
/** Seconds. Watches end one by one, when nobody reads them. */
const RETRY_AFTER = 600;
/** An admitted account is watched by then, and in the documents. */
const UNSEEN_MS = 60_000;

/**
 * Admits the first read of an account that nobody watches: each costs events, jobs and calls to nodes for as long as the
 * account is watched, and anybody can think of any number of addresses.
 */
export function admitFirstReads({ limits, views, maxWatched, logger }: FirstReadDeps): AdmitFirstRead {
  /** Accounts that were admitted, and are not in the documents as far as is known. */
  const unseen = new LRUCache<string, true>({ ...atMost(10_000), ttl: UNSEEN_MS });
  let silentUntil = -Infinity;

  const forgetSeen = async (): Promise<void> => {
    unseen.purgeStale();
    const found = await views.getMany(WATCHED_ACCOUNTS.name, [...unseen.keys()]);
    for (const key of found.keys()) unseen.delete(key);
  };
  /** Nothing is awaited after the count, so that concurrent reads do not all take the last place. */
  const takePlace = async (key: string): Promise<boolean> => {
    const watched = await views.count(WATCHED_ACCOUNTS.name);
    if (watched + unseen.size >= maxWatched) return false;
    unseen.set(key, true);
    return true;
  };

  return async (account, reader) => {
    await limitAddress(await limits(), FIRST_READS, reader);
    if (maxWatched === 0) return;
    const key = accountKey(account);
    if (await takePlace(key)) return;
    await forgetSeen();
    if (await takePlace(key)) return;
    if (performance.now() >= silentUntil) {
      logger.warn(
        { limit: maxWatched },
        'no further account can be watched: MAX_WATCHED_ACCOUNTS is reached',
      );
      silentUntil = performance.now() + WARNING_MS;
    }
    throw new Problem(
      'watch_limit_reached',
      `This account is not watched yet, and no more than ${maxWatched} accounts are watched at a time.`,
      { retryAfter: RETRY_AFTER },
    );
  };
}
