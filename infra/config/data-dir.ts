import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { CannotOpen } from './cannot-open';
import { WrongSettings } from './settings';

/** In the data folder: what the local networks store, and the double of the exchange partner. */
export const NETWORKS_FOLDER = 'networks';

/** Free bytes needed at the start: what the engines write into a new folder. */
const MIN_FREE_BYTES = 512 * 1024;

/** Creates the folder where there is none, for its owner only. @throws CannotOpen, WrongSettings */
export function makeDataDir(dataDir: string): void {
  return translating(dataDir, () => makeFolder(resolve(dataDir)));
}

/** Node's own `recursive` never ends where a file system takes no folders, such as /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

const OTHER_USERS = 0o077;

/**
 * Names a folder that existed before and that other users may look into: what the program writes there is for its owner only,
 * what was copied there may not be. The folder is not changed, since it may hold what is not ours.
 */
export function warnOfOpenDataDir(dataDir: string, logger: Pick<Logger, 'warn'>): void {
  const mode = statSync(dataDir, { throwIfNoEntry: false })?.mode ?? 0;
  // Windows has no such modes.
  if (process.platform === 'win32' || (mode & OTHER_USERS) === 0) return;
  logger.warn(
    { dataDir, mode: (mode & 0o777).toString(8) },
    'other users can read the data folder: chmod -R go-rwx prevents it',
  );
}

/** Reports an error of the file system as a fault of the data folder. @throws CannotOpen, WrongSettings */
export async function inDataDir<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translated(dataDir, error);
  }
}

/** Writes and deletes what the engines need at the start: a full disk lets a file be opened and refuses what is written to it. @throws CannotOpen */
export function assertWritable(dataDir: string): void {
  translating(dataDir, () => tryToWrite(dataDir));
}

function tryToWrite(dataDir: string): void {
  const file = join(dataDir, `space.${process.pid}.tmp`);
  const descriptor = openSync(file, 'w');
  try {
    const bytes = Buffer.alloc(MIN_FREE_BYTES);
    for (let written = 0; written < MIN_FREE_BYTES;) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
    rmSync(file, { force: true });
  }
}

/** As `inDataDir`, of what does not wait. @throws CannotOpen */
function translating<Result>(dataDir: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translated(dataDir, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no folder can be made there',
  EIO: 'the disk cannot be read or written',
  EFBIG: 'files may not become large enough (ulimit -f)',
};

/** Which no other attempt changes. */
const NO_FOLDER = ['EEXIST', 'ENOTDIR'];

function translated(dataDir: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof CannotOpen) return error;
  if (NO_FOLDER.includes(code))
    return new WrongSettings(`DATA_DIR: ${JSON.stringify(dataDir)}: it is not a folder`, { cause: error });
  return unusableDataDir(dataDir, REASONS[code] ?? message, error);
}

/** @param cause what the operator reads; without secrets */
export function unusableDataDir(dataDir: string, cause: string, error?: unknown): CannotOpen {
  return new CannotOpen('DATA_DIR', `${JSON.stringify(dataDir)}: ${cause}`, { cause: error });
}
