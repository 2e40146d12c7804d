import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { hasShareLeft, shareOf } from '../../contracts/bound';
import { atMost } from '../../contracts/engine/cache-bounds';
import { accountKey } from '../../contracts/network/network';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { FIRST_READS } from '../../contracts/quota';
import { Problem } from '../../contracts/problem/problem';
import type { Views } from '../../projections/views';
import {
  countWatchedAccounts,
  countWatchedAccountsOf,
  WATCHED_ACCOUNTS,
} from '../../projections/watch/watched-accounts';
import type { CallerSource } from '../http/caller-source';
import { limitAddress } from '../http/limits';
import type { AdmitFirstRead } from '../watch-account';

interface FirstReadDeps {
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly views: Pick<Views, 'count' | 'getMany' | 'isOutdated'>;
  /** Opened at the first use. */
  readonly sources: () => Promise<CallerSource>;
  /**
   * Accounts that may be watched at a time, and a quarter more for devices that register; 0 is no limit. Several processes may
   * exceed it by what they admit at once.
   */
  readonly maxWatched: number;
  readonly logger: Logger;
}

const WARNING_MS = 60_000;
/** Seconds. Watches end one by one, when nobody reads them. */
const RETRY_AFTER = 600;
/** An admitted account is watched by then, and in the documents. */
const UNSEEN_MS = 60_000;

type Refused = 'limit' | 'share';
const REASONS: Readonly<Record<Refused, (max: number) => string>> = {
  limit: max => `no more than ${max} accounts are watched at a time`,
  share: () => 'too many other accounts are for callers of this network',
};

/**
 * Admits the first read of an account that nobody watches: each costs events, jobs and calls to nodes for as long as the
 * account is watched, and anybody can think of any number of addresses. A source gets a quarter of what the others leave.
 */
export function admitFirstReads({
  limits,
  sources,
  views,
  maxWatched,
  logger,
}: FirstReadDeps): AdmitFirstRead {
  /** Accounts that were admitted, and are not in the documents as far as is known: the source of each. */
  const unseen = new LRUCache<string, string>({ ...atMost(10_000), ttl: UNSEEN_MS });
  let silentUntil = -Infinity;

  const forgetSeen = async (): Promise<void> => {
    unseen.purgeStale();
    const found = await views.getMany(WATCHED_ACCOUNTS.name, [...unseen.keys()]);
    for (const key of found.keys()) unseen.delete(key);
  };
  /** Nothing is awaited after the counts, so that concurrent reads do not all take the last place. */
  const takePlace = async (key: string, source: string, max: number): Promise<Refused | null> => {
    const counted = await Promise.all([countWatchedAccounts(views), countWatchedAccountsOf(views, source)]);
    const all = counted[0] + unseen.size;
    const own = counted[1] + [...unseen.values()].filter(each => each === source).length;
    if (!hasShareLeft(max, all, own)) return all < max ? 'share' : 'limit';
    unseen.set(key, source);
    return null;
  };
  const warn = (): void => {
    if (performance.now() < silentUntil) return;
    logger.warn({ limit: maxWatched }, 'no further account can be watched: MAX_WATCHED_ACCOUNTS is reached');
    silentUntil = performance.now() + WARNING_MS;
  };

  return async (account, reader, purpose) => {
    await limitAddress(await limits(), FIRST_READS, reader);
    const source = (await sources())(reader.ip);
    if (maxWatched === 0) return source;
    const max = purpose === 'registration' ? maxWatched + shareOf(maxWatched) : maxWatched;
    const key = accountKey(account);
    if (!(await takePlace(key, source, max))) return source;
    await forgetSeen();
    const refused = await takePlace(key, source, max);
    if (!refused) return source;
    if (refused === 'limit') warn();
    throw new Problem(
      'watch_limit_reached',
      `This account is not watched yet, and ${REASONS[refused](max)}.`,
      {
        retryAfter: RETRY_AFTER,
      },
    );
  };
}
