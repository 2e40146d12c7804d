import { existsSync } from 'node:fs';
import { openDatabase } from './database';
import { messageOf } from '../../../contracts/text/error-message';
import { text } from './statement';

const MAX_FAULTS = 10;

/**
 * What is wrong with the structure of a database file, and which rows its indexes miss. Reads all of it, beside a program that
 * may be writing to it.
 * @returns sentences; none for a sound file, and for one that does not exist
 */
export function checkDatabase(path: string): string[] {
  if (!existsSync(path)) return [];
  try {
    const database = openDatabase(path);
    try {
      const found = database
        .prepare<[string]>(`SELECT ${text('integrity_check')} FROM pragma_integrity_check(${MAX_FAULTS})`)
        .all()
        .map(([fault]) => fault);
      return found.length === 1 && found[0] === 'ok' ? [] : found;
    } finally {
      database.close();
    }
  } catch (error) {
    return [messageOf(error)];
  }
}
