import { PARTS } from '../../../contracts/bound';
import { roundedKibibytes } from '../../../contracts/events/storage-entry';
import { KIBIBYTE, MEBIBYTE } from '../../config/bytes';
import {
  STORAGE_READS,
  STORAGE_WRITES,
  STORAGE_KEY_WRITES,
  MAX_VALUE_KIBIBYTES,
} from '../../../contracts/http/storage';
import { storageEntriesProjection } from '../../../projections/storage/entries';
import { STORAGE_HISTORY_RETENTION, STORAGE_VALUE_RETENTION } from '../../../services/storage/retention';
import { storageRoutes, writesOf } from '../../../services/storage/routes';
import type { Feature } from '../feature';
import { callerSource } from '../requests/caller-source';
import { rateLimits } from '../requests/rate-limits';
import { callsPerDay, count, dailyQuotaSetting, flag } from '../../config/settings';

const settings = {
  STORAGE_VALUE_KIBIBYTES: count.min(1).max(MAX_VALUE_KIBIBYTES).default(256),
  STORAGE_UNSIGNED: flag.default(false),
  MAX_STORAGE_KEYS: count.default(1_000_000),
  MAX_STORAGE_MEBIBYTES: count.default(16_384),
};

/** Cloud storage: the settings that a wallet shares between devices. */
export const storage: Feature = {
  name: 'storage',
  settings,
  quotas: [STORAGE_READS, STORAGE_WRITES, STORAGE_KEY_WRITES],
  bounds: [
    {
      of: 'keys in cloud storage, each with a value',
      owner: 'who has the key',
      max: '`MAX_STORAGE_KEYS`, for ever or for `STORAGE_VALUE_DAYS`',
      share: 'in a day, a quarter of what the others leave',
      beyond:
        '429 `too_many_storage_keys` for new ones; those that are stored are read and written as before',
      attack: {
        file: 'test/storage/storage.test.ts',
        test: 'of a stranger are a quarter of what the others leave, and who has one still writes it',
      },
    },
    {
      of: 'bytes of the values in cloud storage',
      owner: 'who has the key',
      max: '`MAX_STORAGE_MEBIBYTES`, for ever or for `STORAGE_VALUE_DAYS`',
      share: 'in a day, a quarter of what the others leave',
      beyond:
        '429 `too_many_storage_bytes` for what is larger; a value that is as large as the one that is stored, or smaller, is written as before',
      note: 'A value counts as 4 KiB, or the next power of two. In base64, it takes up to three times as much on disk, in its event and in its document.',
      attack: {
        file: 'test/storage/storage.test.ts',
        test: 'of a stranger are a quarter of what the others leave in bytes too, and who has one still writes it',
      },
    },
    {
      of: 'bytes of values in cloud storage that were replaced',
      owner: 'who has the key; what is stored last is none of these',
      max: '`RATE_LIMIT_STORAGE_WRITES_PER_DAY` writes in a day, each of 4 KiB at most or counted as several, for `STORAGE_HISTORY_DAYS`: 400 MiB of values a day, 12 GiB in all',
      share: 'in a day, a quarter of what the others leave',
      beyond: '429 `rate_limited`',
      note: 'One of 4 KiB takes 6 kB on disk. None belongs to the ledger that auditors verify.',
      attack: {
        file: 'test/storage/storage.test.ts',
        test: 'of a history is a share of what all may write in a day, and others write meanwhile',
      },
    },
    {
      of: 'the size of a value in cloud storage',
      owner: 'who has the key',
      max: '`STORAGE_VALUE_KIBIBYTES`',
      share: 'all of it',
      beyond: '400 `too_big`',
      attack: {
        file: 'test/storage/storage.test.ts',
        test: 'may write an empty value and one of the largest size, and none that is larger, while others write',
      },
    },
  ],
  retentions: [STORAGE_HISTORY_RETENTION, STORAGE_VALUE_RETENTION],
  checkSettings(config, context) {
    const { STORAGE_VALUE_KIBIBYTES: kibibytes, MAX_STORAGE_MEBIBYTES } = config.of(settings);
    const refuse = (setting: string, min: number): void =>
      context.addIssue({
        code: 'custom',
        path: [setting],
        message: `must be ${min} or more, or 0: one caller has a quarter, and a value of STORAGE_VALUE_KIBIBYTES (${kibibytes}) could never be written`,
      });
    const writes = PARTS * writesOf(kibibytes * KIBIBYTE);
    const perDay = callsPerDay(config, STORAGE_WRITES);
    if (perDay > 0 && perDay < writes) refuse(dailyQuotaSetting(STORAGE_WRITES), writes);
    const mebibytes = Math.ceil((PARTS * roundedKibibytes(kibibytes) * KIBIBYTE) / MEBIBYTE);
    if (MAX_STORAGE_MEBIBYTES > 0 && MAX_STORAGE_MEBIBYTES < mebibytes)
      refuse('MAX_STORAGE_MEBIBYTES', mebibytes);
  },
  projections: [storageEntriesProjection],
  routes: async ({ config, engine, handle, clock, use, readWait }) =>
    storageRoutes({
      handle,
      views: engine.views,
      limits: () => use(rateLimits),
      sourceOf: await use(callerSource),
      maxKeys: config.of(settings).MAX_STORAGE_KEYS,
      maxKibibytes: (config.of(settings).MAX_STORAGE_MEBIBYTES * MEBIBYTE) / KIBIBYTE,
      clock,
      maxValueBytes: config.of(settings).STORAGE_VALUE_KIBIBYTES * KIBIBYTE,
      unsigned: config.of(settings).STORAGE_UNSIGNED,
      ...readWait,
    }),
};
