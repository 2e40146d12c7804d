import { MAX_VALUE_KIBIBYTES } from '../../../contracts/http/storage';
import { storageEntriesProjection } from '../../../projections/storage/entries';
import { storageRoutes, writesOf } from '../../../services/storage/routes';
import type { Feature } from '../feature';
import { rateLimits } from '../rate-limits';
import { count, flag } from '../../config/settings';

const KIBIBYTE = 1_024;

const settings = {
  STORAGE_VALUE_KIBIBYTES: count.min(1).max(MAX_VALUE_KIBIBYTES).default(256),
  STORAGE_UNSIGNED: flag.default(false),
};

/** Cloud storage: the settings that a wallet shares between devices. */
export const storage: Feature = {
  name: 'storage',
  settings,
  checkSettings(config, context) {
    const { RATE_LIMIT_STORAGE_WRITES } = config;
    const { STORAGE_VALUE_KIBIBYTES } = config.of(settings);
    const needed = writesOf(STORAGE_VALUE_KIBIBYTES * KIBIBYTE);
    if (RATE_LIMIT_STORAGE_WRITES === 0 || RATE_LIMIT_STORAGE_WRITES >= needed) return;
    context.addIssue({
      code: 'custom',
      path: ['RATE_LIMIT_STORAGE_WRITES'],
      message: `a value of STORAGE_VALUE_KIBIBYTES counts ${needed} times, so it could never be written`,
    });
  },
  projections: [storageEntriesProjection],
  routes: ({ config, engine, handle, clock, use, readWait }) =>
    storageRoutes({
      handle,
      views: engine.views,
      limits: () => use(rateLimits),
      clock,
      maxValueBytes: config.of(settings).STORAGE_VALUE_KIBIBYTES * KIBIBYTE,
      unsigned: config.of(settings).STORAGE_UNSIGNED,
      ...readWait,
    }),
};
