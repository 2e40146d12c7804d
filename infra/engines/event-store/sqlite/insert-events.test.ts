import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { RecordedEvent } from '../../../../contracts/ports/event-store';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteEventStore } from './sqlite-event-store';

const folder = temporaryFolder();

test('an append of any number of events is stored in order', async () => {
  const store = openSqliteEventStore({ path: join(folder, 'lengths.db') });
  let revision = -1;
  for (const length of [1, 63, 64, 65, 127, 200]) {
    const events = Array.from({ length }, (_, n) => ({ id: randomUUID(), type: 'happened', data: { n } }));
    const expected = revision < 0 ? 'no_stream' : revision;
    await store.append('fee-1', expected, events);
    const found: RecordedEvent[] = [];
    for await (const event of store.readStream('fee-1', { from: revision + 1 })) found.push(event);
    expect(found.map(({ id, data }) => ({ id, data }))).toEqual(events.map(({ id, data }) => ({ id, data })));
    revision += length;
    expect(found.at(-1)).toMatchObject({ revision, position: revision });
  }
  await store.close();
});
