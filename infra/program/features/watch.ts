import { watchMetrics } from './watch/metrics';
import { WATCH_SETTINGS } from './watch/settings';
import type { Bound } from '../../../contracts/bound';
import { findFollowers } from '../../../projections/push/devices';
import { countWatchedAccounts, watchedAccountsProjection } from '../../../projections/watch/watched-accounts';
import { REGISTRATION_MS } from '../../../services/push/device/expire';
import { keepExpiringWatches, type ExpireDeps } from '../../../services/watch/expire';
import { keepRemovingHistories } from '../../../services/watch/keep-removing-histories';
import { ACCOUNT_HISTORY, removalTimes } from '../../../services/watch/history-age';
import { WATCH_RETENTION } from '../../../services/watch/retention';
import { watchTimes } from '../../../services/watch/watch-times';
import { daysOf } from '../../config/settings';
import { isUsed } from './watch/account-use';
import type { Feature, ProgramDeps, Worker } from '../feature';
import { jobHandlers } from '../roles/jobs';

/** What ends watches, of a program. */
export function watchExpiry(deps: ProgramDeps): ExpireDeps {
  const { config, engine, handle, clock } = deps;
  const { views } = engine;
  return {
    views,
    handle,
    clock,
    ...watchTimes(config.of(WATCH_SETTINGS).WATCH_EXPIRY_DAYS),
    async isNeeded(account) {
      const registered = await findFollowers(views, account);
      const since = clock().getTime() - REGISTRATION_MS;
      return registered.some(({ registeredAt }) => Date.parse(registeredAt) > since);
    },
    isUsed: account => isUsed(deps, account),
  };
}

const expiry = jobHandlers('watch', deps =>
  deps.config.of(WATCH_SETTINGS).WATCH_EXPIRY_DAYS === 0
    ? []
    : [signal => keepExpiringWatches(watchExpiry(deps), signal)],
);

const WATCHED_ACCOUNTS: Bound = {
  of: 'watched accounts',
  owner: 'who has read them within `WATCH_EXPIRY_DAYS`',
  max: '`MAX_WATCHED_ACCOUNTS`, and a quarter more for devices that register',
  share: 'in a day, a quarter of what the others leave',
  beyond: '503 `watch_limit_reached` for accounts that nobody watches',
  note: 'An account without a transaction, a balance and a registered device is forgotten an hour after it was read, or after as long a time as it was read for.',
  attack: {
    file: 'test/push/watched.test.ts',
    test: 'made-up accounts of a few strangers leave places for reads and for devices that register',
  },
};

/** A message may be on its way to Kafka so long, with the time at which it was sent. The embedded log stores it at once. */
const KAFKA_GRACE_MS = 20 * 60_000;

/** What removes histories, of a program; null where they stay. */
export function historyRemovalOf(deps: ProgramDeps) {
  const { config, engines, engine, handle, clock, logger } = deps;
  const days = daysOf(config, ACCOUNT_HISTORY);
  // Where all accounts are followed, that goes on without a watch.
  if (days === 0 || config.INDEX_SCOPE === 'all') return null;
  const { store, documents, log } = engines;
  const { views, histories, foldedRecordsByAll } = engine;
  return {
    store,
    documents,
    log,
    views,
    histories,
    foldedRecordsByAll,
    handle,
    clock,
    logger,
    ...removalTimes(days, config.KAFKA_BROKERS ? KAFKA_GRACE_MS : 0),
  };
}

const historyRemoval = jobHandlers('account_history', deps => {
  const removal = historyRemovalOf(deps);
  return removal ? [signal => keepRemovingHistories(removal, signal)] : [];
});

/** The accounts that the indexers follow, from their first read until nobody reads them. */
export const watch: Feature = {
  name: 'watch',
  settings: WATCH_SETTINGS,
  renamedSettings: { WATCH_LIMIT: 'MAX_WATCHED_ACCOUNTS' },
  bounds: [WATCHED_ACCOUNTS],
  metrics: watchMetrics,
  ages: [ACCOUNT_HISTORY],
  retentions: [WATCH_RETENTION],
  projections: [watchedAccountsProjection],
  workers: [
    historyRemoval,
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
