import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { NETWORKS_FOLDER, unusableDataDir } from '../config/data-dir';
import { LOCK_FILE } from './data-dir-claim';
import { EMBEDDED_FILES } from './engines';

/** What the program creates in its data folder, databases without the files that SQLite adds. */
const CREATED = [...Object.values(EMBEDDED_FILES), 'running.json', NETWORKS_FOLDER, 'keys', 'jwks', 'as-of'];
const OF_SQLITE = /-(wal|shm|journal)$/;
const withoutSuffix = (name: string): string => name.replace(OF_SQLITE, '');

/** Whether the program has created it, and data is lost with it. */
export function isOwnData(name: string): boolean {
  return CREATED.includes(withoutSuffix(name));
}

export function isLockFile(name: string): boolean {
  return withoutSuffix(name) === LOCK_FILE;
}

/** What file systems and desktops create. */
const OF_SYSTEM = /^\.|^lost\+found$/;

const MAX_NAMED = 3;

/**
 * Refuses the folder of something else, whose name is a mistake.
 * @returns whether the program has no data there yet
 * @throws CannotOpen
 */
export function isNewDataDir(dataDir: string): boolean {
  const names = namesIn(dataDir);
  if (names.some(name => isOwnData(name) || isLockFile(name))) return !names.some(isOwnData);
  const others = names.filter(name => !OF_SYSTEM.test(name));
  if (others.length === 0) return true;
  const named = [...others.slice(0, MAX_NAMED), ...(others.length > MAX_NAMED ? ['…'] : [])].join(', ');
  throw unusableDataDir(
    dataDir,
    `it is a folder of something else (${named}). Name the data folder, or one that is empty or does not exist, for a new ledger: ${resolve(dataDir, 'tidemark')}`,
  );
}

/** None where there is no such folder; what else is wrong with it is reported where it is claimed. */
function namesIn(dataDir: string): string[] {
  try {
    return readdirSync(dataDir);
  } catch {
    return [];
  }
}
