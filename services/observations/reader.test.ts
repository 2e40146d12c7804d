import pino from 'pino';
import { z } from 'zod';
import { defineObservation } from '../../contracts/observation/observation';
import type { Document, Query } from '../../contracts/ports/documents';
import type { NewJob } from '../../contracts/ports/jobs';
import { createObservedReader, requestObservation, type ObservedReaderDeps } from './reader';

const NOW = Date.UTC(2026, 0, 1, 12);
const ROME = 'it/Rome';
const weather = defineObservation({
  kind: 'weather.now',
  subject: {
    format: ({ country, city }: { country: string; city: string }) => `${country}/${city}`,
    parse(text) {
      const [country = '', city = ''] = text.split('/');
      return { country, city };
    },
  },
  schema: z.object({ degrees: z.int() }),
  source: { name: 'stations', networks: ['it', 'fr'], networkOf: ({ country }) => country },
  minAgeMs: 1_000,
  staleAfterMs: 10_000,
  ages: false,
  read: async () => ({ height: null, data: { degrees: 20 } }),
});
const rome = { country: 'it', city: 'Rome' };

/** The same, read from chains. */
const onChain = defineObservation({
  ...weather,
  source: {
    ...weather.source,
    chainOf: ({ country }) =>
      country === 'it' ? { chain: 'ton', network: 'testnet' } : { chain: 'ton', network: 'mainnet' },
  },
});

/** Documents, a clock that moves by waiting only, and what happens at a request. */
function fixture(
  onRequest: (documents: Map<string, Document>) => void = () => undefined,
  options: Partial<ObservedReaderDeps> = {},
) {
  const documents = new Map<string, Document>();
  const added: NewJob[] = [];
  let now = NOW;
  const deps: ObservedReaderDeps = {
    views: {
      get: async <D extends Document>(collection: string, id: string) =>
        collection === 'observed_weather_now' ? ((documents.get(id) as D | undefined) ?? null) : null,
      getMany: async <D extends Document>(_collection: string, ids: readonly string[]) =>
        new Map(ids.flatMap(id => (documents.has(id) ? [[id, documents.get(id) as D] as const] : []))),
      async find<D extends Document>(_collection: string, { filter, limit }: Query) {
        const { gt, lt } = filter!['_id'] as { gt: string; lt: string };
        const found = [...documents].filter(([id]) => id > gt && id < lt).map(([, found]) => found as D);
        return { documents: found.sort((a, b) => (a._id < b._id ? -1 : 1)).slice(0, limit), next: null };
      },
      async *scan<D extends Document>(_collection: string, { limit }: Query) {
        const all = [...documents.values()].sort((a, b) => (a._id < b._id ? -1 : 1)) as D[];
        while (all.length > 0) yield all.splice(0, limit);
      },
      waitForChange: async (_collections, timeoutMs) => void (now += timeoutMs),
    },
    jobs: {
      async add(job) {
        added.push(job);
        onRequest(documents);
        return true;
      },
    },
    logger: pino({ level: 'silent' }),
    now: () => now,
    ...options,
  };
  const reader = createObservedReader(weather, deps);
  return { reader, deps, documents, added, elapsed: () => now - NOW };
}
const document = (degrees: number, ageMs: number): Document => ({
  _id: ROME,
  height: null,
  at: new Date(NOW - ageMs).toISOString(),
  data: { degrees },
});

test('a request is a job in the queue of its source, coalesced by the subject for the minimum age', async () => {
  const { added, reader } = fixture(documents => documents.set(ROME, document(20, 0)));
  await reader.read(rome);
  expect(added).toMatchObject([
    {
      queue: 'observe-stations-it',
      id: 'weather.now/it/Rome',
      data: { kind: 'weather.now', subject: ROME },
      keepIdMs: 1_000,
    },
  ]);
});

test('a fresh observation is served and nothing is requested', async () => {
  const { documents, reader, added } = fixture();
  documents.set(ROME, document(20, 9_000));
  expect(await reader.read(rome)).toEqual({
    height: null,
    at: '2026-01-01T11:59:51.000Z',
    data: { degrees: 20 },
  });
  expect(await reader.find(rome)).toEqual(await reader.read(rome));
  expect(added).toEqual([]);
});

test('a stale observation is served and refreshed in the background', async () => {
  const { documents, reader, added, elapsed } = fixture();
  documents.set(ROME, document(20, 11_000));
  expect((await reader.read(rome)).data).toEqual({ degrees: 20 });
  expect(added).toHaveLength(1);
  expect(elapsed()).toBe(0);
});

test('a stale observation is served although it cannot be requested again', async () => {
  const { documents, reader } = fixture(() => {
    throw new Error('redis connection lost');
  });
  documents.set(ROME, document(20, 11_000));
  expect((await reader.read(rome)).data).toEqual({ degrees: 20 });
});

test('a missing observation is waited for, and requested again meanwhile', async () => {
  let requests = 0;
  const { reader } = fixture(documents => {
    if (++requests === 3) documents.set(ROME, document(21, 0));
  });
  expect((await reader.read(rome)).data).toEqual({ degrees: 21 });
});

test('an observation that does not arrive in time is a 503', async () => {
  const { reader, elapsed } = fixture();
  await expect(reader.read(rome, { waitMs: 700 })).rejects.toMatchObject({
    status: 503,
    code: 'not_ready',
    headers: { 'Retry-After': '2' },
  });
  expect(elapsed()).toBe(700);
});

test('an observation that no source of its network can give is a 503 with its own code, whatever its queue is', async () => {
  const { deps } = fixture(undefined, { isWrongNetwork: ({ network }) => network === 'testnet' });
  const reader = createObservedReader(onChain, deps);
  await expect(reader.read(rome, { waitMs: 100 })).rejects.toMatchObject({
    status: 503,
    code: 'source_wrong_network',
    detail: expect.stringContaining('no source of TON testnet serves that network') as unknown,
  });
  await expect(reader.read({ country: 'fr', city: 'Lyon' }, { waitMs: 100 })).rejects.toMatchObject({
    code: 'not_ready',
  });
});

test('a derived value is awaited until it is current, and served as it is when the wait ends', async () => {
  const { documents, reader, added } = fixture(documents => documents.set(ROME, document(22, 0)));
  documents.set(ROME, document(20, 0));
  const derived = (minimum: number) => ({
    find: async () => (await reader.find(rome))?.data.degrees ?? null,
    isStale: () => false,
    isCurrent: (degrees: number) => degrees >= minimum,
  });
  expect(await reader.readDerived(rome, derived(20))).toBe(20);
  expect(added).toEqual([]);
  expect(await reader.readDerived(rome, derived(22))).toBe(22);
  expect(await reader.readDerived(rome, derived(30), { waitMs: 100 })).toBe(22);
});

test('a request for a subject of another network goes to its own queue', async () => {
  const added: NewJob[] = [];
  const jobs = {
    add: async (job: NewJob) => {
      added.push(job);
      return true;
    },
  };
  await requestObservation(jobs, weather, { country: 'fr', city: 'Lyon' });
  expect(added).toMatchObject([{ queue: 'observe-stations-fr', id: 'weather.now/fr/Lyon' }]);
});

it('finds what was observed of a part, in the order of its subjects', async () => {
  const { reader, documents } = fixture();
  for (const id of ['it/Rome', 'it/Bari', 'it-2/Rome', 'it', 'fr/Nice'])
    documents.set(id, { ...document(id.length, 0), _id: id });
  const found = await reader.findPart('it', 10);
  expect(found.map(({ subject: { city }, observed }) => [city, observed.data.degrees])).toEqual([
    ['Bari', 7],
    ['Rome', 7],
  ]);
  expect(await reader.findPart('it', 1)).toHaveLength(1);
});

/** All that a reader has, in pages. */
async function scanned(reader: ReturnType<typeof fixture>['reader'], limit: number) {
  const pages: string[][] = [];
  for await (const page of reader.scan(limit)) pages.push(page.map(({ subject: { city } }) => city));
  return pages;
}

it('reads all that was observed, in pages', async () => {
  const { reader, documents } = fixture();
  for (const id of ['it/Rome', 'fr/Nice', 'it/Bari'])
    documents.set(id, { ...document(id.length, 0), _id: id });
  expect(await scanned(reader, 2)).toEqual([['Nice', 'Bari'], ['Rome']]);
});

describe('of a network that is off', () => {
  const followed = { ton: ['mainnet'], solana: [] } as const;

  it('nothing is served of what is stored, nothing is requested, and reads are refused at once', async () => {
    const { documents, deps, added, elapsed } = fixture();
    documents.set(ROME, document(20, 11_000));
    const reader = createObservedReader(onChain, { ...deps, followed });
    await expect(reader.read(rome)).rejects.toMatchObject({
      code: 'network_off',
      status: 404,
      headers: {},
      detail: 'This instance does not serve TON testnet.',
    });
    expect(reader.notReady(rome, 'The weather')).toMatchObject({ code: 'network_off' });
    expect(await reader.find(rome)).toBeNull();
    expect(await reader.findMany([rome, { country: 'fr', city: 'Lyon' }])).toEqual([null, null]);
    expect(await reader.findPart('it', 10)).toEqual([]);
    expect(await scanned(reader, 10)).toEqual([[]]);
    const derived = { find: async () => 7, isStale: () => true, isCurrent: () => false };
    expect(await reader.readDerived(rome, derived)).toBe(7);
    await reader.request(rome);
    expect(added).toEqual([]);
    expect(elapsed()).toBe(0);
  });

  it('others are read', async () => {
    const { documents, deps } = fixture();
    documents.set('fr/Lyon', { ...document(22, 0), _id: 'fr/Lyon' });
    const reader = createObservedReader(onChain, { ...deps, followed });
    expect((await reader.read({ country: 'fr', city: 'Lyon' })).data).toEqual({ degrees: 22 });
  });
});
