import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describeEventStore } from '../../../test/contracts/event-store';
import { temporaryFolder } from '../../../test/temporary-folder';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import { prefixedStreams } from './prefixed-streams';
import { openSqliteEventStore } from './sqlite/sqlite-event-store';

const folder = temporaryFolder();
const open = (file = 'shared') => openSqliteEventStore({ path: join(folder, `${file}.db`) });

// All of them in one store. A category ends before the first hyphen, so that a prefix has none.
describeEventStore('SQLite with a prefix', async place => prefixedStreams(open(), place.replaceAll('-', '')));

it('shows an instance nothing of another one', async () => {
  const server = open('two');
  const [one, other] = [prefixedStreams(server, 'one'), prefixedStreams(server, 'other')];
  for (const [store, name] of [
    [one, 'ours'],
    [other, 'theirs'],
    [server, 'plain'],
  ] as const)
    await store.append('fee-1', 'no_stream', [{ id: randomUUID(), type: 'Happened', data: { name } }]);

  const all = async (options?: Parameters<typeof one.readAll>[0]): Promise<RecordedEvent[]> => {
    const found: RecordedEvent[] = [];
    for await (const events of one.readAll(options)) found.push(...events);
    return found;
  };
  for (const options of [{}, { categories: ['fee'] }, { limit: 2 }, { direction: 'backwards' }] as const)
    expect((await all(options)).map(({ stream, data }) => [stream, data['name']])).toEqual([
      ['fee-1', 'ours'],
    ]);
  await server.close();
});
