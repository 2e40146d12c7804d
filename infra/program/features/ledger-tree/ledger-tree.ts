import { join } from 'node:path';
import { z } from 'zod';
import { BILLING_VERSIONS } from '../../../../projections/billing/billing-projections';
import { createCheckpoints, type Checkpoints } from '../../../../services/ledger-tree/checkpoints';
import { makeLedgerKeys, openLedgerKeys, type LedgerKeys } from '../../../../services/ledger-tree/keys';
import { UnusableSecretFile } from '../../../../services/signing/secret-file';
import { createLedgerTreeReader, type LedgerTreeReader } from '../../../../services/ledger-tree/reader';
import { createProver, type Prover } from '../../../../services/ledger-tree/prover';
import { WrongSettings, type Config } from '../../../config/settings';
import { inDataDir } from '../../../config/data-dir';
import type { Resource } from '../../feature';
import type { Engines } from '../../../engines/engines';
import { writtenNumber } from '../../../../contracts/text/written-number';

/** The ledger tree of this instance: its reader, keys, checkpoints, and the prover of answers. */
export interface LedgerTreeServices {
  readonly reader: LedgerTreeReader;
  readonly keys: LedgerKeys;
  readonly checkpoints: Checkpoints;
  readonly prover: Prover;
}

export const LEDGER_SETTINGS = {
  LEDGER_KEYS_FILE: z.string().min(1).optional(),
  LEDGER_CHECKPOINT_EVENTS: writtenNumber.int().min(1).default(10_000),
  LEDGER_CHECKPOINT_MINUTES: writtenNumber.int().min(1).max(10_080).default(10),
};
/** The file named in the settings, or one in the data folder. */
export function ledgerKeysFile(config: Config): string {
  return config.of(LEDGER_SETTINGS).LEDGER_KEYS_FILE ?? join(config.DATA_DIR, 'keys', 'ledger.json');
}

/** The keys, created at the first start unless the settings name a file. @throws WrongSettings, UnusableSecretFile, CannotOpen */
export async function openLedgerKeysFile(config: Config): Promise<LedgerKeys> {
  const file = ledgerKeysFile(config);
  const isNamed = config.of(LEDGER_SETTINGS).LEDGER_KEYS_FILE !== undefined;
  if (!isNamed) await inDataDir(config.DATA_DIR, () => makeLedgerKeys(file));
  const keys = openLedgerKeys(file);
  try {
    keys.signer();
  } catch (error) {
    if (!isNamed || !(error instanceof UnusableSecretFile)) throw error;
    throw new WrongSettings(`LEDGER_KEYS_FILE: ${error.message}`);
  }
  return keys;
}

/** @param timeoutMs how long a proof waits for the tree to include its position. @throws WrongSettings, CannotOpen */
export async function openLedgerTree(
  config: Config,
  { store, documents }: Pick<Engines, 'store' | 'documents'>,
  timeoutMs: number,
  assertComplete: () => void = () => undefined,
): Promise<LedgerTreeServices> {
  const keys = await openLedgerKeysFile(config);
  const reader = createLedgerTreeReader(documents);
  const checkpoints = createCheckpoints({ store, instanceId: config.INSTANCE_ID, keys });
  const prover = createProver({
    reader,
    checkpoints,
    keys,
    instanceId: config.INSTANCE_ID,
    timeZone: config.INSTANCE_TIME_ZONE,
    projections: BILLING_VERSIONS,
    assertComplete,
    timeoutMs,
  });
  return { reader, keys, checkpoints, prover };
}

export const ledgerTree: Resource<LedgerTreeServices> = {
  open: ({ config, engines, readWait, assertComplete }) =>
    openLedgerTree(config, engines, readWait.waitMs, assertComplete),
};
