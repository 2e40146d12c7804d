import fc from 'fast-check';
import { join } from 'node:path';
import type { EventStore, ExpectedRevision } from '../../../../contracts/ports/event-store';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteEventStore } from './sqlite-event-store';
import { runs } from '../../../../test/random';

const folder = temporaryFolder();

interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** From a small range, so that repetitions of every kind occur. */
  readonly ids: readonly number[];
}

/** A model of the rules: streams as lists of ids. Returns the revision, or null for a conflict. */
const applyTo = (streams: Map<string, number[]>, { stream, expected, ids }: Append): number | null => {
  const list = streams.get(stream) ?? [];
  const append = (): number => {
    streams.set(stream, [...list, ...ids]);
    return list.length + ids.length - 1;
  };
  const repeatAt = (place: number): number | null =>
    ids.every((id, index) => list[place + index] === id) ? place + ids.length - 1 : null;
  if (expected === 'stream_exists' && list.length === 0) return null;
  if (expected === 'any' || expected === 'stream_exists') {
    const place = list.lastIndexOf(ids[0]!);
    return place === -1 ? append() : repeatAt(place);
  }
  const place = expected === 'no_stream' ? 0 : expected + 1;
  return place === list.length ? append() : repeatAt(place);
};

const uuid = (stream: string, id: number): string =>
  `00000000-0000-4000-8000-${stream.charCodeAt(0)}${String(id).padStart(10, '0')}`;

const appendAll = (
  store: EventStore,
  prefix: string,
  appends: readonly Append[],
): Promise<(number | null)[]> =>
  Promise.all(
    appends.map(({ stream, expected, ids }) =>
      store
        .append(
          `${prefix}-${stream}`,
          expected,
          ids.map(id => ({ id: uuid(stream, id), type: 'happened', data: {} })),
        )
        .then(
          ({ revision }) => revision,
          (error: Error) => {
            expect(error.name).toBe('WrongExpectedRevision');
            return null;
          },
        ),
    ),
  );

const append: fc.Arbitrary<Append> = fc.record({
  stream: fc.constantFrom('a', 'b'),
  expected: fc.oneof(
    fc.integer({ min: 0, max: 6 }),
    fc.constantFrom<ExpectedRevision>('no_stream', 'any', 'stream_exists'),
  ),
  ids: fc
    .tuple(fc.nat(5), fc.integer({ min: 1, max: 3 }))
    .map(([first, count]) => Array.from({ length: count }, (_, n) => first + n)),
});

test('concurrent appends by two clients have the results of sequential ones', async () => {
  const path = join(folder, 'events.db');
  const clients = [openSqliteEventStore({ path }), openSqliteEventStore({ path })];
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(append, { maxLength: 6 }), { maxLength: 12 }), async groups => {
      const prefix = `run${(count += 1)}`;
      const streams = new Map<string, number[]>();
      for (const [index, group] of groups.entries()) {
        const expected = group.map(one => applyTo(streams, one));
        expect(await appendAll(clients[index % 2]!, prefix, group)).toEqual(expected);
      }
      for (const [stream, ids] of streams) {
        const recorded: string[] = [];
        for await (const { id } of clients[0]!.readStream(`${prefix}-${stream}`)) recorded.push(id);
        expect(recorded).toEqual(ids.map(id => uuid(stream, id)));
      }
    }),
    runs(30),
  );
  for (const client of clients) await client.close();
});
