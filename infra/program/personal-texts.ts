import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { decodeBase64 } from '../../contracts/encoding/base64';
import { KEY_BYTES } from '../../services/personal-texts/aes-gcm';
import { openSubjectKeys, WrongMasterKey, type SubjectKeys } from '../../services/personal-texts/keys';
import { createPersonalTexts } from '../../services/personal-texts/personal-texts';
import { ensureSecretFile, UnusableSecretFile } from '../../services/signing/secret-file';
import type { PersonalTexts } from '../../services/personal-texts/personal-text';
import { WrongSettings, type Config } from '../config/settings';
import { inDataDir } from '../config/data-dir';
import type { Resource } from './feature';
import type { Engines } from '../engines/engines';

const SETTING = 'ERASURE_MASTER_KEY';

type Stores = Pick<Engines, 'vault'>;

/** @throws WrongSettings, UnusableSecretFile, CannotOpen */
export async function openPersonalTexts(
  config: Config,
  stores: Stores,
  clock?: () => Date,
): Promise<PersonalTexts> {
  return createPersonalTexts(await openSubjectKeysOf(config, stores, clock));
}

/** The keys of personal texts, decrypted with the master key of the settings or the data folder. @throws WrongSettings, CannotOpen */
export async function openSubjectKeysOf(
  config: Config,
  { vault }: Stores,
  clock?: () => Date,
): Promise<SubjectKeys> {
  try {
    return await openSubjectKeys(vault, await masterKey(config), clock);
  } catch (error) {
    if (error instanceof WrongMasterKey) throw new WrongSettings(`${SETTING}: ${error.message}`);
    throw error;
  }
}

/** 32 bytes: the secret that all processes of the installation share. @throws WrongSettings, UnusableSecretFile */
export async function masterKey(config: Config): Promise<Buffer> {
  const { DATA_DIR, ERASURE_MASTER_KEY: given } = config;
  if (given !== undefined) return decodeBase64(given)!;
  const file = join(DATA_DIR, 'keys', 'erasure');
  const text = await inDataDir(DATA_DIR, () =>
    ensureSecretFile(file, () => `${randomBytes(KEY_BYTES).toString('base64')}\n`),
  );
  const key = decodeBase64(text.trim());
  if (key?.length === KEY_BYTES) return key;
  throw new UnusableSecretFile(
    file,
    `the file is damaged: not ${KEY_BYTES} bytes in base64`,
    'Restore it from a backup: without it no personal text that was stored can be read.',
  );
}

export const personalTexts: Resource<PersonalTexts> = {
  open: ({ config, engines, clock }) => openPersonalTexts(config, engines, clock),
};
