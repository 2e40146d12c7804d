import type { Database } from '../infra/engines/sqlite/database';

/** A table by its name or alias, read from end to end; reading `json_each` of a parameter so is what it is for. */
const SCAN = /^SCAN (?!CONSTANT ROW|\S+ VIRTUAL TABLE)(\S+)/;

/** The database, and what SQLite means to do for each statement that was prepared through it. */
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
        // A numbered parameter may stand more than once.
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
    /** The tables that statements read from end to end. */
    scanned: (): Set<string> =>
      new Set(statements().flatMap(sql => steps(sql).flatMap(step => SCAN.exec(step)?.[1] ?? []))),
    /** The statements for which rows are gathered and sorted, however many there are. */
    sorting: (): string[] =>
      statements().filter(sql => steps(sql).some(step => step.startsWith('USE TEMP B-TREE'))),
  };
}
