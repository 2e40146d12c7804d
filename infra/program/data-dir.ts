import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CannotOpen } from '../engines/cannot-open';
import { openDatabase } from '../engines/sqlite/database';

/** Bytes there must be room for at the start: what the engines make of a new folder. */
const ROOM = 512 * 1024;

/**
 * Claims the data folder for the one program that runs everything on it; the tools may work beside it. The claim is a
 * lock of the operating system, so it ends with the process however that ends.
 * @returns what gives the claim up. @throws CannotOpen when another program has it, or the folder cannot be written to
 */
export function claimDataDir(dataDir: string): () => void {
  makeDataDir(dataDir);
  inWords(dataDir, () => tryToWrite(dataDir));
  try {
    const lock = openDatabase(join(dataDir, 'running.lock'), { busyTimeout: 0 });
    lock.exec('BEGIN IMMEDIATE');
    return () => {
      lock.exec('ROLLBACK');
      lock.close();
    };
  } catch (error) {
    const { message } = error as Error;
    const isLocked = /locked|busy/i.test(message);
    throw unusable(dataDir, isLocked ? 'another tidemark is running on this folder' : message, error);
  }
}

/** Makes the folder where there is none. @throws CannotOpen */
export function makeDataDir(dataDir: string): void {
  return inWords(dataDir, () => void mkdirSync(dataDir, { recursive: true }));
}

/** What cannot be done in the data folder, as its fault and not as one of the program. */
export async function inDataDir<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translated(dataDir, error);
  }
}

/** A full disk lets a file be opened and refuses what is written to it. */
function tryToWrite(dataDir: string): void {
  const file = join(dataDir, `room.${process.pid}.tmp`);
  const descriptor = openSync(file, 'w');
  try {
    const bytes = Buffer.alloc(ROOM);
    for (let written = 0; written < ROOM;) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
    rmSync(file, { force: true });
  }
}

function inWords<Result>(dataDir: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translated(dataDir, error);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'there is no right to write there',
  EPERM: 'there is no right to write there',
  EEXIST: 'it is not a folder',
  ENOTDIR: 'it is not a folder',
  EIO: 'the disk cannot be read or written',
  EFBIG: 'files may not become large enough (ulimit -f)',
};

const translated = (dataDir: string, error: unknown): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined || error instanceof CannotOpen
    ? error
    : unusable(dataDir, WORDS[code] ?? message, error);
};

const unusable = (dataDir: string, cause: string, error: unknown): CannotOpen =>
  new CannotOpen('DATA_DIR', `${JSON.stringify(dataDir)}: ${cause}`, { cause: error });
