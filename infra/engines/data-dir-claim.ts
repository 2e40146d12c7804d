import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertWritable, makeDataDir, unusableDataDir } from '../config/data-dir';
import { openDatabase } from './sqlite/database';

/** Is locked while a program runs; it stays, since a lock of a file that was deleted locks nobody out. */
export const LOCK_FILE = 'running.lock';
/** `isDataDirClaimed` holds the lock for a moment. */
const CLAIM_TIMEOUT_MS = 100;
const CLAIMED = 'another tidemark is running on this folder';

/**
 * Claims the data folder for one program; commands may run beside it. The claim is a lock of the operating system, so it
 * ends with the process.
 * @returns a function that releases the claim
 * @throws CannotOpen when another program has it, or the folder cannot be written to
 */
export function claimDataDir(dataDir: string): () => void {
  makeDataDir(dataDir);
  assertWritable(dataDir);
  try {
    const lock = openDatabase(join(dataDir, LOCK_FILE), { busyTimeoutMs: CLAIM_TIMEOUT_MS });
    lock.exec('BEGIN IMMEDIATE');
    return () => {
      lock.exec('ROLLBACK');
      lock.close();
    };
  } catch (error) {
    const { message } = error as Error;
    throw unusableDataDir(dataDir, isLocked(error) ? CLAIMED : message, error);
  }
}

/** @throws CannotOpen when a program has claimed the folder */
export function assertUnclaimed(dataDir: string): void {
  if (isDataDirClaimed(dataDir)) throw unusableDataDir(dataDir, CLAIMED);
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
