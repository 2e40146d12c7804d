import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { WrongSettings } from './config';
import { openDatabase } from './sqlite/database';

/**
 * Claims the data folder for the one program that runs everything on it; the tools may work beside it. The claim is a
 * lock of the operating system, so it ends with the process however that ends.
 * @returns what gives the claim up. @throws WrongSettings when another program has it, or the folder cannot be used
 */
export function claimDataDir(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true });
    const lock = openDatabase(join(dataDir, 'running.lock'), { busyTimeout: 0 });
    lock.exec('BEGIN IMMEDIATE');
    return () => {
      lock.exec('ROLLBACK');
      lock.close();
    };
  } catch (error) {
    const locked = /locked|busy/i.test(String(error));
    const reason = locked ? 'another tidemark is running on this folder' : String(error);
    throw new WrongSettings(`DATA_DIR=${JSON.stringify(dataDir)}: ${reason}`);
  }
}
