import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { runs } from '../../../test/random';
import { temporaryFolder } from '../../../test/temporary-folder';
import type { EventStore, NewEvent, RecordedEvent } from '../../../contracts/ports/event-store';
import { BEGINNING } from '../../../contracts/position';
import { foreignEvents } from './foreign-events';
import { ownEventsOf } from './own-events';
import { openSqliteEventStore } from './sqlite/sqlite-event-store';

const folder = temporaryFolder();
const opened: EventStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

const open = () => {
  const server = openSqliteEventStore({ path: join(folder, `${randomUUID()}.db`) });
  opened.push(server);
  const foreign = foreignEvents();
  return { server, foreign, store: ownEventsOf(server, foreign) };
};

const event = (metadata: { v?: number }): NewEvent => ({
  id: randomUUID(),
  type: metadata.v ? 'Happened' : 'SomethingElse',
  data: {},
  metadata,
});
const own = () => event({ v: 1 });
const foreignOne = () => event({});

const listed = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};
const isOwn = ({ type }: RecordedEvent) => type === 'Happened';

it('reads what a store without the foreign events would have, whatever the limit and the direction', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), fc.constantFrom('a-1', 'a-2', 'b-1')), { maxLength: 12 }),
      fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      fc.constantFrom('forwards', 'backwards'),
      async (written, limit, direction) => {
        const { server, store } = open();
        for (const [ours, stream] of written)
          await server.append(stream, 'any', [ours ? own() : foreignOne()]);
        const page = { direction, ...(limit && { limit }) } as const;

        const inStream = (await listed(server.readStream('a-1', { direction }))).filter(isOwn);
        expect(await listed(store.readStream('a-1', page))).toEqual(inStream.slice(0, limit));
        const options = { direction, categories: ['a'] } as const;
        const inCategory = (await listed(server.readAll(options))).flat().filter(isOwn);
        expect((await listed(store.readAll({ ...page, ...options }))).flat()).toEqual(
          inCategory.slice(0, limit),
        );
      },
    ),
    runs(30),
  );
});

it('moves a checkpoint past foreign events', async () => {
  const { server, store } = open();
  await server.append('a-1', 'any', [own(), foreignOne(), own(), foreignOne()]);
  const stop = new AbortController();
  const seen: RecordedEvent[] = [];
  const head = await server.head();
  for await (const { events, position } of store.subscribe({ after: BEGINNING, signal: stop.signal })) {
    seen.push(...events);
    if (position === head) stop.abort();
  }
  expect(seen.map(({ revision }) => revision)).toEqual([0, 2]);
});

it.each([
  ['a new stream', [], 'no_stream'],
  ['a stream', [own()], 0],
] as const)(
  'appends to %s after foreign events, once they have been read',
  async (_what, before, expected) => {
    const { server, store } = open();
    await server.append('a-1', 'any', [...before, foreignOne(), foreignOne()]);
    await listed(store.readStream('a-1'));
    const { revision } = await store.append('a-1', expected, [own()]);
    expect(revision).toBe(before.length + 2);
  },
);

it('does not append after an own event that the writer has not read', async () => {
  const { server, store } = open();
  await server.append('a-1', 'any', [own(), foreignOne()]);
  await listed(store.readStream('a-1'));
  await server.append('a-1', 'any', [own()]);
  await expect(store.append('a-1', 0, [own()])).rejects.toThrow('expected 0, found 2');
  await expect(store.append('a-1', 'no_stream', [own()])).rejects.toThrow('found 2');
});

it('counts each foreign event once', async () => {
  const { server, store, foreign } = open();
  expect(foreign.report()).toBeNull();
  await server.append('a-1', 'any', [own(), foreignOne(), foreignOne()]);
  await listed(store.readStream('a-1'));
  await listed(store.readAll());
  const first = { stream: 'a-1', type: 'SomethingElse', position: expect.any(Number) as number };
  expect(foreign.report()).toEqual({ count: 2, isMore: false, first });
});
