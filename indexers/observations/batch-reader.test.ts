import { pino } from 'pino';
import { z } from 'zod';
import { defineObservation, OBSERVATIONS_TOPIC, type Clients } from '../../contracts/observation/observation';
import type { Observed } from '../../contracts/observation/reader';
import { InMemoryLog } from '../../test/doubles/log';
import { createBatchReader } from './batch-reader';
import { createSourceLimits } from './source-limits';

const cities = Array.from({ length: 20 }, (_, n) => `city ${n}`);
const options = { maxConcurrent: 2, pauseMs: 0, maxFailures: 3, signal: new AbortController().signal };

/** Reads all cities over doubles. @param read throws for a city that cannot be read */
async function readBatch(
  read: (city: string) => void,
  given: Partial<typeof options> = {},
  known: ReadonlyMap<string, Observed<unknown>> = new Map(),
) {
  const log = new InMemoryLog();
  await log.declare([OBSERVATIONS_TOPIC]);
  const publish = jest.spyOn(log, 'publish');
  let [open, most, lastBlocks] = [0, 0, 0];
  const weather = defineObservation({
    kind: 'weather',
    subject: { format: (city: string) => city, parse: text => text },
    schema: z.object({ degrees: z.int() }),
    source: { name: 'partner' },
    minAgeMs: 1_000,
    staleAfterMs: 10_000,
    ages: false,
    async read(clients, city) {
      await clients.ton('mainnet').getLastBlock();
      most = Math.max(most, (open += 1));
      await new Promise(resolve => setTimeout(resolve, 10));
      open -= 1;
      read(city);
      return { height: 7, data: { degrees: 21 } };
    },
  });
  const deps = {
    clients: { ton: () => ({ getLastBlock: async () => (lastBlocks += 1) }) } as unknown as Clients,
    limits: createSourceLimits(),
    last: async () => null,
    known: async (_of: unknown, of: readonly unknown[]) => of.map(city => known.get(city as string) ?? null),
    log,
    logger: pino({ level: 'silent' }),
    now: () => Date.UTC(2026, 0, 1),
  };
  const unread = await createBatchReader(weather, deps).readBatch(cities, { ...options, ...given });
  const published = log.stored.all.map(({ key, value }) => ({
    key,
    ...(JSON.parse(value.toString()) as object),
  }));
  return { unread, published, publishes: publish.mock.calls.length, most, lastBlocks };
}

test('all are published together, and read a few at a time, as of one block', async () => {
  const { unread, published, publishes, most, lastBlocks } = await readBatch(() => undefined);
  expect(unread).toEqual([]);
  expect(publishes).toBe(1);
  expect(published.map(({ key }) => key).sort()).toEqual(cities.map(city => `weather/${city}`).sort());
  expect(published[0]).toEqual({
    key: 'weather/city 0',
    kind: 'weather',
    subject: 'city 0',
    height: 7,
    at: '2026-01-01T00:00:00.000Z',
    data: { degrees: 21 },
  });
  expect(most).toBe(2);
  expect(lastBlocks).toBe(1);
});

test('those that cannot be read are told, and the others published', async () => {
  const { unread, published } = await readBatch(city => {
    if (city === 'city 3') throw new Error('HTTP 500');
  });
  expect(unread).toEqual(['city 3']);
  expect(published).toHaveLength(19);
});

test('a source that fails again and again is left alone, and all that was not read is told', async () => {
  let reads = 0;
  const { unread, publishes } = await readBatch(() => {
    reads += 1;
    throw new Error('HTTP 500');
  });
  expect(reads).toBeLessThanOrEqual(4);
  expect([...unread].sort()).toEqual([...cities].sort());
  expect(publishes).toBe(0);
});

test('two reads do not begin at once, however many may go on', async () => {
  const stop = new AbortController();
  let reads = 0;
  const read = (): void => {
    reads += 1;
    setImmediate(() => setImmediate(() => stop.abort()));
  };
  const { unread } = await readBatch(read, { pauseMs: 60_000, signal: stop.signal });
  expect(reads).toBe(1);
  expect(unread).toHaveLength(19);
});

test('when it is to end nothing more is read, and what was read is published', async () => {
  const stop = new AbortController();
  let reads = 0;
  const { unread, published } = await readBatch(() => (reads += 1) === 4 && stop.abort(), {
    signal: stop.signal,
  });
  expect(published.length).toBeGreaterThanOrEqual(4);
  expect(published.length).toBeLessThanOrEqual(6);
  expect(unread).toHaveLength(20 - published.length);
});

test('what was published meanwhile as of a later block, or later, stays the last on the log', async () => {
  const at = (height: number, second: number): Observed<unknown> => ({
    height,
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
    data: { degrees: 9 },
  });
  const known = new Map([
    ['city 1', at(6, 5)],
    ['city 2', at(7, 5)],
    ['city 3', at(8, 5)],
  ]);
  const { published, unread } = await readBatch(() => undefined, {}, known);
  expect(unread).toEqual([]);
  const keys = published.map(({ key }) => key);
  expect(keys).toHaveLength(18);
  expect(keys).toContain('weather/city 1');
  expect(keys).not.toContain('weather/city 2');
  expect(keys).not.toContain('weather/city 3');
});
