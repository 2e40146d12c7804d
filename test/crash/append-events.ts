import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';

const WRITERS = 8;

/**
 * Appends forever, three events at a time, as eight writers with a stream each, and prints stream, revision and
 * position of every append once it is acknowledged.
 */
const appendForever = async (path: string, name: string): Promise<void> => {
  const store = openSqliteEventStore({ path });
  const write = async (stream: string): Promise<never> => {
    for (let last: number | 'no_stream' = 'no_stream'; ;) {
      const first: number = last === 'no_stream' ? 0 : last + 1;
      const events = [0, 1, 2].map(part => ({ id: randomUUID(), type: 'tick', data: { n: first + part } }));
      const { revision, position } = await store.append(stream, last, events);
      writeSync(1, `${stream} ${revision} ${position}\n`);
      last = revision;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => write(`${name}-${n}`)));
};

const [path, name] = process.argv.slice(2);
void appendForever(path!, name!);
