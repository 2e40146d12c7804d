import type { Database } from '../infra/engines/sqlite/database';

/** A full scan of a table, by its name or alias, but not of `json_each`. */
const SCAN = /^SCAN (?!CONSTANT ROW|\S+ VIRTUAL TABLE)(\S+)/;

/** Wraps a database to collect SQLite's query plans of all statements prepared through it. */
export function watchPlans(database: Database) {
  const prepared = new Set<string>();
  const steps = (sql: string): string[] => {
    const parameters = Array.from({ length: [...sql.matchAll(/\?/g)].length }, () => null);
    const plan = `EXPLAIN QUERY PLAN ${sql}`;
    for (;;) {
      try {
        return database
          .prepare<[number, number, number, string]>(plan)
          .all(parameters)
          .map(row => row[3]);
      } catch (error) {
        // A numbered parameter may occur more than once.
        if (!(error instanceof TypeError) || parameters.pop() === undefined) throw error;
      }
    }
  };
  const statements = (): string[] => [...prepared].filter(sql => !sql.startsWith('PRAGMA'));
  return {
    database: {
      ...database,
      prepare: <Row extends readonly unknown[]>(sql: string) => {
        prepared.add(sql);
        return database.prepare<Row>(sql);
      },
    },
    statements,
    /** Tables that statements scan in full. */
    scanned: (): Set<string> =>
      new Set(statements().flatMap(sql => steps(sql).flatMap(step => SCAN.exec(step)?.[1] ?? []))),
    /** Statements that sort their rows in a temporary B-tree. */
    sorting: (): string[] =>
      statements().filter(sql => steps(sql).some(step => step.startsWith('USE TEMP B-TREE'))),
  };
}
