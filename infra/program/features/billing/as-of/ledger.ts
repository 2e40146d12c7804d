import { z } from 'zod';
import { BILLING_PROJECTIONS } from '../../../../../projections/billing/billing-projections';
import type { Config } from '../../../../config/settings';
import { openAsOf, type AsOfOptions, type OpenAsOf } from './as-of';
import { threadBuilder } from './fold-thread';
import { inProcessBuilder } from './snapshot-builder';

const MIB = 2 ** 20;

export const AS_OF_SETTINGS = {
  AS_OF_FILES: z.coerce.number().int().min(1).max(1_000).default(8),
  AS_OF_MEBIBYTES: z.coerce.number().int().min(1).default(4_096),
};

/** The ledger of this instance, by its settings. @throws CannotOpen */
export function openLedgerAsOf(
  config: Config,
  options: Omit<AsOfOptions, 'dataDir' | 'projections' | 'builder' | 'limits'>,
): Promise<OpenAsOf> {
  const { DATA_DIR, EVENTSTORE_URL, AS_OF_IN_THREAD } = config;
  const projections = BILLING_PROJECTIONS;
  const { AS_OF_FILES: files, AS_OF_MEBIBYTES: mebibytes } = config.of(AS_OF_SETTINGS);
  return openAsOf({
    ...options,
    dataDir: DATA_DIR,
    projections,
    builder: AS_OF_IN_THREAD
      ? threadBuilder({ DATA_DIR, EVENTSTORE_URL })
      : inProcessBuilder({ ...options, projections }),
    limits: { files, bytes: mebibytes * MIB },
  });
}
