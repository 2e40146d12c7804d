import { MEBIBYTE } from '../../../../config/bytes';
import { BILLING_PROJECTIONS } from '../../../../../projections/billing/billing-projections';
import { count, flag, forTests, type Config } from '../../../../config/settings';
import { openAsOf, type AsOfOptions, type OpenAsOf } from './as-of';
import { threadBuilder } from './fold-thread';
import { inProcessBuilder } from './snapshot-builder';
import { writtenNumber } from '../../../../../contracts/text/written-number';

export const AS_OF_SETTINGS = {
  AS_OF_FILES: writtenNumber.int().min(1).max(1_000).default(8),
  AS_OF_MEBIBYTES: writtenNumber.int().min(1).default(4_096),
  /** Folds in a thread with an event store of its own; else in that of the program, which a test may wrap. */
  AS_OF_IN_THREAD: forTests(flag.default(true)),
  /** Milliseconds that a read waits: the first one starts the thread, which takes seconds. */
  AS_OF_WAIT_MS: forTests(count.default(10_000)),
};

/** The ledger of this instance, by its settings. @throws CannotOpen */
export function openLedgerAsOf(
  config: Config,
  options: Omit<AsOfOptions, 'dataDir' | 'projections' | 'builder' | 'limits' | 'timeoutMs'> &
    Partial<Pick<AsOfOptions, 'timeoutMs'>>,
): Promise<OpenAsOf> {
  const { DATA_DIR, EVENTSTORE_URL, EVENTSTORE_PREFIX } = config;
  const projections = BILLING_PROJECTIONS;
  const {
    AS_OF_FILES: files,
    AS_OF_MEBIBYTES: mebibytes,
    AS_OF_IN_THREAD: inThread,
    AS_OF_WAIT_MS: waitMs,
  } = config.of(AS_OF_SETTINGS);
  return openAsOf({
    timeoutMs: waitMs,
    ...options,
    dataDir: DATA_DIR,
    projections,
    builder: inThread
      ? threadBuilder({ DATA_DIR, EVENTSTORE_URL, EVENTSTORE_PREFIX })
      : inProcessBuilder({ ...options, projections }),
    limits: { files, bytes: mebibytes * MEBIBYTE },
  });
}
