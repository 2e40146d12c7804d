import type { Database } from './database';
import { UnusableDatabase } from './errors';

/**
 * Lays out a new file, or brings an old one to this layout (kept in `PRAGMA user_version`). Closes the database when
 * it cannot be used.
 * @param upgrades what makes layout 2 of layout 1, and so on
 * @throws UnusableDatabase when another version of the program laid the file out, or it is damaged or locked
 */
export function layOut(
  database: Database,
  version: number,
  ddl: string,
  upgrades: readonly string[] = [],
): void {
  const found = (): number => database.prepare<[number]>('PRAGMA user_version').get()![0];
  try {
    if (found() === version) return;
    database.transaction(() => {
      const steps = found() === 0 ? [ddl] : upgrades.slice(found() - 1);
      if (steps.length > 0) database.exec(`${steps.join(';')}; PRAGMA user_version=${version}`);
    });
    if (found() !== version)
      throw new Error(`its layout is version ${found()}, this program knows ${version}`);
  } catch (error) {
    database.close();
    throw new UnusableDatabase(database.path, error);
  }
}
