import { watchMetrics } from './watch/metrics';
import type { AccountRef } from '../../../contracts/network/network';
import { findFollowers } from '../../../projections/push/devices';
import { countWatchedAccounts, watchedAccountsProjection } from '../../../projections/watch/watched-accounts';
import { REGISTRATION_MS } from '../../../services/push/device/expire';
import { keepExpiringWatches } from '../../../services/watch/expire';
import { watchTimes } from '../../../services/watch/watch-times';
import type { Feature, Worker } from '../feature';
import { jobHandlers } from '../roles/jobs';

const expiry = jobHandlers('watch', ({ config, engine, handle, clock }) => {
  if (config.WATCH_EXPIRY_DAYS === 0) return [];
  const { expireAfterMs } = watchTimes(config.WATCH_EXPIRY_DAYS);
  const { views } = engine;
  const isNeeded = async (account: AccountRef): Promise<boolean> => {
    const registered = await findFollowers(views, account);
    const since = clock().getTime() - REGISTRATION_MS;
    return registered.some(({ registeredAt }) => Date.parse(registeredAt) > since);
  };
  return [signal => keepExpiringWatches({ views, handle, clock, expireAfterMs, isNeeded }, signal)];
});

/** The accounts that the indexers follow, from their first read until nobody reads them. */
export const watch: Feature = {
  name: 'watch',
  metrics: watchMetrics,
  projections: [watchedAccountsProjection],
  workers: [
    {
      ...expiry,
      start: async deps => ({
        ...(await expiry.start(deps)),
        refresh: async () =>
          deps.metrics.of(watchMetrics).accounts.set(await countWatchedAccounts(deps.engine.views)),
      }),
    } satisfies Worker,
  ],
};
