import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CannotOpen } from '../../config/cannot-open';
import { LOCK_FILE } from '../../engines/data-dir-claim';
import { embeddedFiles } from '../../engines/engines';
import type { Config } from '../../config/settings';
import type { KeysOfCommand } from './command';

/**
 * Refuses a data folder in which no program has ever run. It is empty or mistyped, and whatever a command created there,
 * databases or keys, would be of no use to anybody.
 * @throws CannotOpen
 */
export function assertExistingData(config: Config, { keys }: { readonly keys?: KeysOfCommand }): void {
  const databases = embeddedFiles(config);
  if (databases.length > 0 ? databases.some(file => existsSync(file)) : hasKeys(config, keys)) return;
  throw unusedFolder(config.DATA_DIR);
}

/** Refuses a data folder without databases of the embedded engines, whatever engines the settings name. @throws CannotOpen */
export function assertEmbeddedData({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): void {
  if (!embeddedFiles({ DATA_DIR }).some(file => existsSync(file))) throw unusedFolder(DATA_DIR);
}

function unusedFolder(DATA_DIR: string): CannotOpen {
  const advice = existsSync(join(DATA_DIR, LOCK_FILE))
    ? 'it has no data, as after `tidemark reset`. The next start begins a new ledger there'
    : `${existsSync(DATA_DIR) ? 'no program has ever run there' : 'there is no such folder'}. Set DATA_DIR to the data folder of the program, which its first start creates`;
  return new CannotOpen('DATA_DIR', `${JSON.stringify(DATA_DIR)}: ${advice}`);
}

/** Where all engines are servers: whether the keys that the command uses are there, or come from elsewhere. */
function hasKeys(config: Config, keys: KeysOfCommand | undefined): boolean {
  if (keys === undefined || isSet(config, keys.setting)) return true;
  return existsSync(join(config.DATA_DIR, 'keys'));
}

const isSet = (config: Config, setting: string | undefined): boolean =>
  setting !== undefined && config.of({ [setting]: z.string().optional() })[setting] !== undefined;
