import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { KEY_BYTES } from '../../services/erasure/box';
import { openSubjectKeys, WrongMasterKey, type SubjectKeys } from '../../services/erasure/keys';
import { createPersonalTexts } from '../../services/erasure/personal-texts';
import { madeOnce } from '../../services/made-once';
import type { PersonalTexts } from '../../services/personal-text';
import { WrongSettings, type Config } from './config';
import { inDataDir } from './data-dir';
import type { Engines } from '../engines/engines';

const SETTING = 'ERASURE_MASTER_KEY';

type Settings = Pick<Config, 'DATA_DIR' | typeof SETTING>;
type Place = Pick<Engines, 'vault'>;

/** How personal text is sealed and opened. @throws WrongSettings, CannotOpen */
export async function openPersonalTexts(config: Settings, place: Place): Promise<PersonalTexts> {
  return createPersonalTexts(await openSubjectKeysOf(config, place));
}

/** The keys of personal texts, under the master key that the settings or the data folder hold. @throws WrongSettings, CannotOpen */
export async function openSubjectKeysOf(config: Settings, { vault }: Place): Promise<SubjectKeys> {
  try {
    return await openSubjectKeys(vault, await masterKey(config));
  } catch (error) {
    if (error instanceof WrongMasterKey) throw new WrongSettings(`${SETTING}: ${error.message}`);
    throw error;
  }
}

async function masterKey({ DATA_DIR, ERASURE_MASTER_KEY: given }: Settings): Promise<Buffer> {
  if (given !== undefined) return Buffer.from(given, 'base64');
  const file = join(DATA_DIR, 'keys', 'erasure');
  const text = await inDataDir(DATA_DIR, () =>
    madeOnce(file, () => `${randomBytes(KEY_BYTES).toString('base64')}\n`),
  );
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES) throw new WrongSettings(`${file}: not ${KEY_BYTES} bytes in base64`);
  return key;
}
