import { join } from 'node:path';
import { BILLING_MODELS } from '../../projections/billing/models';
import { createCheckpoints, type Checkpoints } from '../../services/seal/checkpoints';
import { makeLedgerKeys, openLedgerKeys, UnusableKeys, type LedgerKeys } from '../../services/seal/keys';
import { createProver } from '../../services/seal/prove';
import { readSeal, type SealReading } from '../../services/seal/reading';
import type { Prover } from '../../services/prover';
import { WrongSettings, type Config } from './config';
import { inDataDir } from './data-dir';
import type { Engines } from '../engines/engines';

/** The sealed ledger of this instance: what it came to, who signs it, and what proves answers by it. */
export interface Seal {
  readonly reading: SealReading;
  readonly keys: LedgerKeys;
  readonly checkpoints: Checkpoints;
  readonly prover: Prover;
}

type KeySettings = Pick<Config, 'DATA_DIR' | 'LEDGER_KEYS_FILE'>;

/** The file that the settings name, else one in the data folder. */
export function ledgerKeysFile({ DATA_DIR, LEDGER_KEYS_FILE }: KeySettings): string {
  return LEDGER_KEYS_FILE ?? join(DATA_DIR, 'keys', 'ledger.json');
}

/** The keys, made at the first start unless the settings name a file. @throws WrongSettings, CannotOpen */
export async function openKeys(config: KeySettings): Promise<LedgerKeys> {
  const file = ledgerKeysFile(config);
  if (config.LEDGER_KEYS_FILE === undefined) await inDataDir(config.DATA_DIR, () => makeLedgerKeys(file));
  const keys = openLedgerKeys(file);
  try {
    keys.signer();
  } catch (error) {
    if (!(error instanceof UnusableKeys)) throw error;
    throw new WrongSettings(`LEDGER_KEYS_FILE: ${error.message}; \`tidemark keys rotate\` makes one`);
  }
  return keys;
}

/** @param patience milliseconds that a proof waits for the sealer. @throws WrongSettings, CannotOpen */
export async function openSeal(
  config: Config,
  { store, documents }: Pick<Engines, 'store' | 'documents'>,
  patience: number,
): Promise<Seal> {
  const keys = await openKeys(config);
  const reading = readSeal(documents);
  const checkpoints = createCheckpoints({ store, instanceId: config.INSTANCE_ID, keys });
  const prover = createProver({
    reading,
    checkpoints,
    keys,
    instanceId: config.INSTANCE_ID,
    timeZone: config.INSTANCE_TIME_ZONE,
    projections: Object.fromEntries(BILLING_MODELS.map(({ name, version }) => [name, version])),
    patience,
  });
  return { reading, keys, checkpoints, prover };
}
