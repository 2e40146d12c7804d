import { createWatch } from '../../../../services/watch/commands';
import { admitFirstReads } from '../../../../services/watch/first-reads';
import { watchTimes } from '../../../../services/watch/watch-times';
import type { Watch } from '../../../../services/watch-account';
import type { ProgramDeps, Resource } from '../../feature';
import { callerSource } from '../../requests/caller-source';
import { rateLimits } from '../../requests/rate-limits';
import { hasTransaction } from './account-use';
import { WATCH_SETTINGS } from './settings';

/** Watches an account and backfills its history, within the limits of the program. */
export function watchOf({ use }: Pick<ProgramDeps, 'use'>): Watch {
  return async (...watched) => (await use(accountWatch))(...watched);
}

/** One for each process: it knows what the process has watched. */
const accountWatch: Resource<Watch> = {
  async open({ config, features, engine, engines: { store }, networks: { followed }, clock, logger, use }) {
    const { WATCH_EXPIRY_DAYS: days, MAX_WATCHED_ACCOUNTS: maxWatched } = config.of(WATCH_SETTINGS);
    return createWatch({
      store,
      clock,
      followed,
      ...watchTimes(days),
      isUsed: account => hasTransaction({ features, engine }, account),
      admit: admitFirstReads({
        limits: () => use(rateLimits),
        sources: () => use(callerSource),
        views: engine.views,
        maxWatched,
        logger,
      }),
    });
  },
};
