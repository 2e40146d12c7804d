import type { Database } from './database';
import { UnusableDatabase } from './errors';

/**
 * Lays out a new file, or checks that an old one has this layout (kept in `PRAGMA user_version`). Closes the database
 * when it cannot be used.
 * @throws UnusableDatabase when another version of the program laid the file out, or it is damaged or locked
 */
export const layOut = (database: Database, version: number, ddl: string): void => {
  const found = (): number => database.prepare<[number]>('PRAGMA user_version').get()![0];
  try {
    if (found() === version) return;
    database.transaction(() => {
      if (found() === 0) database.exec(`${ddl}; PRAGMA user_version=${version}`);
    });
    if (found() !== version)
      throw new Error(`its layout is version ${found()}, this program knows ${version}`);
  } catch (error) {
    database.close();
    throw new UnusableDatabase(database.path, error);
  }
};
