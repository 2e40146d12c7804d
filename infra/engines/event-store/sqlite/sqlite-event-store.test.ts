import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describeEventStore } from '../../../../test/contracts/event-store';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteEventStore } from './sqlite-event-store';

const folder = temporaryFolder();

describeEventStore('SQLite', async place => openSqliteEventStore({ path: join(folder, `${place}.db`) }));

describe('the time of an event', () => {
  it('never runs backwards, whatever the clock does, in one process or in several', async () => {
    const path = join(folder, 'clock.db');
    let now = '2026-11-23T12:00:00.000Z';
    const open = () => openSqliteEventStore({ path, clock: () => new Date(now) });
    const [one, other] = [open(), open()];
    const appendAt = (time: string, store = one) => {
      now = time;
      const event = { id: randomUUID(), type: 'Happened', data: {}, metadata: {} };
      return store.append('clock-1', 'any', [event]);
    };
    await appendAt('2026-11-23T12:00:00.000Z');
    await appendAt('2026-11-23T11:00:00.000Z');
    await appendAt('2026-11-23T11:30:00.000Z', other);
    await appendAt('2026-11-23T12:30:00.000Z', other);
    await appendAt('2026-11-23T12:10:00.000Z');
    const times: string[] = [];
    for await (const page of one.readAll()) times.push(...page.map(({ created }) => created.slice(11, 16)));
    expect(times).toEqual(['12:00', '12:00', '12:00', '12:30', '12:30']);
    await Promise.all([one.close(), other.close()]);
  });
});
