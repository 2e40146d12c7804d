import { BILLING_MODELS } from '../../../projections/billing/models';
import type { Config } from '../config';
import { openAsOf, type AsOfOptions, type OpenAsOf } from './as-of';
import { foldInThread } from './thread';

const MIB = 2 ** 20;

/** The ledger of the instance, as the settings have it: the store is the one that they name. @throws CannotOpen */
export function openLedgerAsOf(
  { DATA_DIR, EVENTSTORE_URL, AS_OF_FILES, AS_OF_MEBIBYTES }: Config,
  options: Omit<AsOfOptions, 'dataDir' | 'projections' | 'folding' | 'limits'>,
): Promise<OpenAsOf> {
  return openAsOf({
    ...options,
    dataDir: DATA_DIR,
    projections: BILLING_MODELS,
    folding: foldInThread({ DATA_DIR, EVENTSTORE_URL }),
    limits: { files: AS_OF_FILES, bytes: AS_OF_MEBIBYTES * MIB },
  });
}
