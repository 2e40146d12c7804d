import { constants, existsSync, realpathSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CannotOpen } from '../config/cannot-open';
import { NETWORKS_FOLDER } from '../config/data-dir';
import { embeddedFiles } from '../engines/engines';
import { openDatabase } from '../engines/sqlite/database';
import type { Config } from '../config/settings';
import { UsageError } from './commands/usage-error';

export interface BackupReport {
  readonly folder: string;
  readonly files: readonly { readonly file: string; readonly bytes: number }[];
  /** Settings that name servers, which are not part of the backup. */
  readonly servers: readonly string[];
}

const KEYS = 'keys';

/**
 * Copies the databases of a data folder, each as it is at one moment, beside a program that may be writing to them. The order
 * makes the copies fit together: what is derived is copied before what it was derived from, so that no document in the backup
 * is ahead of the event store or the log; the keys of encrypted texts and the chains that were indexed are copied after
 * the events and records that need them. Jobs are not copied: a program that finds none enqueues them again.
 * @param folder must not exist; it appears when the backup is complete and on disk
 * @throws CannotOpen, UsageError
 */
export async function backup(config: Config, folder: string): Promise<BackupReport> {
  const { DATA_DIR } = config;
  const target = resolve(folder);
  if (existsSync(target)) throw new Error(`${folder}: already exists`);
  // It would be lost with what it is a copy of.
  if (isInside(target, resolve(DATA_DIR)))
    throw new UsageError(
      `${folder}: it is inside of DATA_DIR, ${resolve(DATA_DIR)}; name a folder elsewhere`,
    );
  // A folder that is not there is probably mistyped, or a disk that is not mounted.
  if (!existsSync(dirname(target))) throw new Error(`${folder}: there is no folder ${dirname(target)}`);
  if (!existsSync(DATA_DIR))
    throw new CannotOpen('DATA_DIR', `${JSON.stringify(DATA_DIR)}: there is no such folder`);
  const networks = (await filesIn(DATA_DIR, NETWORKS_FOLDER)).filter(file => file.endsWith('.sqlite'));
  const databases = [...embeddedFiles(config).map(file => relative(DATA_DIR, file)), ...networks].filter(
    file => existsSync(join(DATA_DIR, file)),
  );
  const keys = await filesIn(DATA_DIR, KEYS);

  const partial = await mkdtemp(join(dirname(target), `${basename(target)}.partial-`));
  try {
    const files = [];
    for (const file of [...databases, ...keys]) {
      const copy = join(partial, file);
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
      if (keys.includes(file)) await copyFile(join(DATA_DIR, file), copy, constants.COPYFILE_EXCL);
      else {
        copyDatabase(join(DATA_DIR, file), copy);
        await markAsWal(copy);
      }
      await chmod(copy, 0o600);
      await sync(copy);
      await sync(dirname(copy));
      files.push({ file, bytes: (await stat(copy)).size });
    }
    await sync(partial);
    await rename(partial, target);
    await sync(dirname(target));
    return { folder: target, files, servers: serversOf(config) };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Also by a link. */
function isInside(folder: string, outer: string): boolean {
  const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
  const way = relative(real(outer), join(real(dirname(folder)), basename(folder)));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** In one read transaction, which writers do not wait for. A damaged database is refused. */
function copyDatabase(from: string, to: string): void {
  const database = openDatabase(from);
  try {
    database.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
}

/** The two versions of the format in the header, https://www.sqlite.org/fileformat.html#file_format_version_numbers. */
const FORMAT_VERSIONS = { offset: 18, wal: Buffer.from([2, 2]) };

/** As it is opened later, which would otherwise change the copy: a command that only reads leaves a backup as it is. */
async function markAsWal(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.write(FORMAT_VERSIONS.wal, 0, FORMAT_VERSIONS.wal.length, FORMAT_VERSIONS.offset);
  } finally {
    await handle.close();
  }
}

/** Paths relative to the data folder. */
async function filesIn(dataDir: string, folder: string): Promise<string[]> {
  const path = join(dataDir, folder);
  if (!existsSync(path)) return [];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter(entry => entry.isFile() && !entry.name.includes('.tmp'))
    .map(entry => relative(dataDir, join(entry.parentPath, entry.name)))
    .sort();
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const serversOf = (config: Config): string[] =>
  (['EVENTSTORE_URL', 'KAFKA_BROKERS', 'MONGODB_URL'] as const).filter(name => config[name] !== undefined);
