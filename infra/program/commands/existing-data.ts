import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CannotOpen } from '../../config/cannot-open';
import { LOCK_FILE } from '../../engines/data-dir-claim';
import { embeddedFiles } from '../../engines/engines';
import type { Config } from '../../config/settings';
import type { KeysOfCommand } from './command';

/**
 * Refuses a data folder in which no program has ever run, and one without the keys that the command uses. It is empty, mistyped
 * or a part of a copy, and whatever a command created there, databases or keys, would be of no use to anybody.
 * @throws CannotOpen
 */
export function assertExistingData(config: Config, { keys }: { readonly keys?: KeysOfCommand }): void {
  const { DATA_DIR } = config;
  const databases = embeddedFiles(config);
  const lacking = missingKeys(config, keys);
  if (databases.length > 0 && !databases.some(file => existsSync(file))) throw unusedFolder(DATA_DIR);
  if (lacking === null) return;
  if (databases.length === 0 && !existsSync(join(DATA_DIR, KEYS))) throw unusedFolder(DATA_DIR);
  throw new CannotOpen(
    'DATA_DIR',
    `${JSON.stringify(DATA_DIR)}: ${lacking} is missing there. It belongs to the data: copy it from the data folder of the program, or from a backup`,
  );
}

/** Refuses a data folder without databases of the embedded engines, whatever engines the settings name. @throws CannotOpen */
export function assertEmbeddedData({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): void {
  if (!embeddedFiles({ DATA_DIR }).some(file => existsSync(file))) throw unusedFolder(DATA_DIR);
}

function unusedFolder(DATA_DIR: string): CannotOpen {
  const advice = existsSync(join(DATA_DIR, LOCK_FILE))
    ? 'it has no data, as after `tidemark reset`. The next start begins a new ledger there'
    : `${faultOf(DATA_DIR)}. Set DATA_DIR to the data folder of the program, which its first start creates`;
  return new CannotOpen('DATA_DIR', `${JSON.stringify(DATA_DIR)}: ${advice}`);
}

function faultOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 'there is no such folder';
  return found.isDirectory() ? 'no program has ever run there' : 'it is not a folder';
}

const KEYS = 'keys';

/** Which of the keys that the command uses are neither there nor come from elsewhere: the path in the data folder; null if none. */
function missingKeys(config: Config, keys: KeysOfCommand | undefined): string | null {
  if (keys === undefined || isSet(config, keys.setting)) return null;
  const path = keys.file === undefined ? KEYS : `${KEYS}/${keys.file}`;
  return existsSync(join(config.DATA_DIR, path)) ? null : path;
}

const isSet = (config: Config, setting: string | undefined): boolean =>
  setting !== undefined && config.of({ [setting]: z.string().optional() })[setting] !== undefined;
