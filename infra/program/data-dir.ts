import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { CannotOpen } from '../engines/cannot-open';
import { openDatabase } from '../engines/sqlite/database';

/** Free bytes needed at the start: what the engines write into a new folder. */
const MIN_FREE_BYTES = 512 * 1024;

/** Is locked while a program runs; it stays, since a lock of a file that was deleted locks nobody out. */
export const LOCK_FILE = 'running.lock';
/** `isDataDirClaimed` holds the lock for a moment. */
const CLAIM_TIMEOUT_MS = 100;

/**
 * Claims the data folder for one program; commands may run beside it. The claim is a lock of the operating system, so it
 * ends with the process.
 * @returns a function that releases the claim
 * @throws CannotOpen when another program has it, or the folder cannot be written to
 */
export function claimDataDir(dataDir: string): () => void {
  makeDataDir(dataDir);
  translating(dataDir, () => tryToWrite(dataDir));
  try {
    const lock = openDatabase(join(dataDir, LOCK_FILE), { busyTimeoutMs: CLAIM_TIMEOUT_MS });
    lock.exec('BEGIN IMMEDIATE');
    return () => {
      lock.exec('ROLLBACK');
      lock.close();
    };
  } catch (error) {
    const { message } = error as Error;
    throw unusable(dataDir, isLocked(error) ? 'another tidemark is running on this folder' : message, error);
  }
}

/** Whether a program has claimed the folder. Other faults of the folder are none of its concern. */
export function isDataDirClaimed(dataDir: string): boolean {
  const file = join(dataDir, LOCK_FILE);
  if (!existsSync(file)) return false;
  try {
    const lock = openDatabase(file, { busyTimeoutMs: 0 });
    try {
      lock.exec('BEGIN IMMEDIATE; ROLLBACK');
    } finally {
      lock.close();
    }
    return false;
  } catch (error) {
    return isLocked(error);
  }
}

const isLocked = (error: unknown): boolean => /locked|busy/i.test((error as Error).message);

/** Creates the folder where there is none, for its owner only. @throws CannotOpen */
export function makeDataDir(dataDir: string): void {
  return translating(dataDir, () => void mkdirSync(dataDir, { recursive: true, mode: 0o700 }));
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

/** Reports an error of the file system as a fault of the data folder. @throws CannotOpen */
export async function inDataDir<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translated(dataDir, error);
  }
}

/** A full disk lets a file be opened and refuses what is written to it. */
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
  EEXIST: 'it is not a folder',
  ENOTDIR: 'it is not a folder',
  EIO: 'the disk cannot be read or written',
  EFBIG: 'files may not become large enough (ulimit -f)',
};

const translated = (dataDir: string, error: unknown): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined || error instanceof CannotOpen
    ? error
    : unusable(dataDir, REASONS[code] ?? message, error);
};

const unusable = (dataDir: string, cause: string, error: unknown): CannotOpen =>
  new CannotOpen('DATA_DIR', `${JSON.stringify(dataDir)}: ${cause}`, { cause: error });
