import { join } from 'node:path';
import { CannotOpen } from '../../engines/cannot-open';
import { claimDataDir } from '../data-dir';

/** A folder that no other process uses. */
export interface Slot {
  readonly folder: string;
  release(): void;
}

/** More processes than these do not share a data folder. */
const MOST = 64;

/** The first folder of `as-of/` that is free: processes beside this one, and tools, have one each. @throws CannotOpen */
export function claimSlot(dataDir: string): Slot {
  for (let n = 1; ; n++) {
    const folder = join(dataDir, 'as-of', String(n));
    try {
      return { folder, release: claimDataDir(folder) };
    } catch (error) {
      if (n === MOST || !(error instanceof CannotOpen)) throw error;
    }
  }
}
