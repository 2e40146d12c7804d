import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { type Database, openDatabase } from '../../sqlite/database';
import { ensureSchema } from '../../sqlite/schema';
import { validateAppend } from '../validate-append';
import { createReader } from './reader';
import { SCHEMA, SCHEMA_VERSION } from './schema';
import { createWriter } from './writer';

const folder = temporaryFolder();

/** A database that calls `interrupt` after each read. */
const interrupted = (database: Database, interrupt: () => void): Database => ({
  ...database,
  prepare: <Row extends readonly unknown[]>(sql: string) => {
    const statement = database.prepare<Row>(sql);
    const then = <Result>(result: Result): Result => {
      interrupt();
      return result;
    };
    return {
      ...statement,
      get: parameters => then(statement.get(parameters)),
      all: parameters => then(statement.all(parameters)),
    };
  },
});

test.each([undefined, ['fee'], ['fee', 'invoice']])(
  'a subscription to %p neither misses nor repeats events committed between any two of its reads',
  async categories => {
    const path = join(folder, `${String(categories)}.db`);
    const [database, other] = [openDatabase(path), openDatabase(path)];
    ensureSchema(database, SCHEMA_VERSION, SCHEMA);
    const writer = createWriter(other, () => new Date());
    const written: string[] = [];
    const interrupt = (): void => {
      if (written.length === 60) return;
      const event = { id: randomUUID(), type: 'happened', data: {} };
      writer.append([
        validateAppend(`${written.length % 2 === 0 ? 'fee' : 'invoice'}-${written.length}`, 'no_stream', [
          event,
        ]),
      ]);
      written.push(event.id);
    };
    const seen: string[] = [];
    const { signal } = new AbortController();
    const options = { after: -1, batchSize: 3, signal, ...(categories && { categories }) };
    for await (const { events, position } of createReader(interrupted(database, interrupt)).subscribe(
      options,
    )) {
      seen.push(...events.map(({ id }) => id));
      if (position === 59) break;
    }
    expect(seen).toEqual(categories?.length === 1 ? written.filter((_, n) => n % 2 === 0) : written);
    database.close();
    other.close();
  },
);
