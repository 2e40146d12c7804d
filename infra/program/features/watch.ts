import { accountKey, type AccountRef } from '../../../contracts/network';
import { isFollowed } from '../../../projections/push/devices';
import { WATCHED_ACCOUNTS, watchedAccountsProjection } from '../../../projections/watch/watched-accounts';
import { keepExpiringWatches } from '../../../services/watch/expire';
import { watchTimes } from '../../../services/watch/watch-times';
import type { Feature, Worker } from '../feature';
import { jobHandlers } from '../roles/jobs';

const expiry = jobHandlers('watch', ({ config, engine, handle, clock }) => {
  if (config.WATCH_EXPIRY_DAYS === 0) return [];
  const { expireAfterMs } = watchTimes(config.WATCH_EXPIRY_DAYS);
  const { views } = engine;
  const isNeeded = (account: AccountRef): Promise<boolean> => isFollowed(views, accountKey(account));
  return [signal => keepExpiringWatches({ views, handle, clock, expireAfterMs, isNeeded }, signal)];
});

/** The accounts that the indexers follow, from their first read until nobody reads them. */
export const watch: Feature = {
  name: 'watch',
  projections: [watchedAccountsProjection],
  workers: [
    {
      ...expiry,
      start: async deps => ({
        ...(await expiry.start(deps)),
        refresh: async () =>
          deps.metrics.watchedAccounts.set(await deps.engine.views.count(WATCHED_ACCOUNTS.name)),
      }),
    } satisfies Worker,
  ],
};
