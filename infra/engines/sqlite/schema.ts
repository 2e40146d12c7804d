import type { Database } from './database';
import { UnusableDatabase } from './errors';

/**
 * Creates the schema in a new file, upgrades an older one, and checks the version of an existing one (`PRAGMA user_version`). Closes the
 * database when it cannot be used.
 * @param upgrades by the version that each starts from, to the next one
 * @throws UnusableDatabase when the file has a schema of another version, or is damaged or locked
 */
export function ensureSchema(
  database: Database,
  version: number,
  ddl: string,
  upgrades: Readonly<Record<number, string>> = {},
): void {
  const found = (): number => database.prepare<[number]>('PRAGMA user_version').get()![0];
  try {
    if (found() === version) return;
    database.transaction(() => {
      if (found() === 0) database.exec(`${ddl}; PRAGMA user_version=${version}`);
      for (let from = found(); from < version && upgrades[from]; from += 1)
        database.exec(`${upgrades[from]}; PRAGMA user_version=${from + 1}`);
    });
    if (found() !== version)
      throw new Error(`its schema is version ${found()}, this program needs ${version}`);
  } catch (error) {
    database.close();
    throw new UnusableDatabase(database.path, error);
  }
}
