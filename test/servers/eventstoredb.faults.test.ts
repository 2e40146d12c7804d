import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineUnavailable } from '../../contracts/engine-unavailable';
import { BEGINNING } from '../../contracts/position';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb';
import type { EventStore } from '../../contracts/ports/event-store';
import { until } from '../until';
import { type Cut, openCut } from './cut';
import { eventstoredb } from './eventstoredb';
import {
  idsOfCategory,
  idsOfStream,
  newCategory,
  newEvents,
  persist,
  startListening,
  startWriting,
  type Writing,
} from './eventstoredb-traffic';
import type { RunningServer } from './server';

const WRITERS = 4;

let folder: string;
let server: RunningServer;
let direct: EventStore;
let way: Cut;
let store: EventStore;

const portOf = (url: string): number => Number(/:(\d+)\?/.exec(url)![1]);
const through = (cut: Cut): string => `esdb://${cut.host}:${cut.port}?tls=false`;
const say = (line: string): void => void process.stdout.write(`    ${line}\n`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eventstoredb-faults-'));
  server = await eventstoredb.start(join(folder, 'server'));
  direct = await openEventStoreDb({ url: server.url });
});
beforeEach(async () => {
  way = await openCut({ port: portOf(server.url) });
  store = await openEventStoreDb({ url: through(way) });
});
afterEach(async () => {
  way.heal();
  await store.close();
  await way.close();
});
afterAll(async () => {
  await direct.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

const expectAllThereOnce = async ({ writers }: Writing, category: string): Promise<string[]> => {
  for (const { stream, acknowledged } of writers)
    expect(await idsOfStream(direct, stream)).toEqual(acknowledged);
  const ids = await idsOfCategory(direct, category);
  expect(new Set(ids).size).toBe(ids.length);
  return ids;
};

/** Breaks the way again and again, each time after some more appends were acknowledged. */
const disturb = async (category: string, writing: Writing, rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    const before = writing.acknowledged();
    await until(() => writing.acknowledged() >= before + 30);
    if (round % 2 === 1) {
      way.deafen();
      // Every other time appends are carried out whose answers are lost.
      await until(async () => (await idsOfCategory(direct, category)).length > writing.acknowledged());
    }
    const { retries } = writing.counts;
    way.cut();
    await until(() => writing.counts.retries > retries);
    way.heal();
  }
};

test('appends whose connection is cut, before or after they were carried out, happen once', async () => {
  const category = newCategory();
  const writing = startWriting(store, category, WRITERS);
  await disturb(category, writing, 20);
  await writing.stop();
  const ids = await expectAllThereOnce(writing, category);
  expect(ids).toHaveLength(writing.acknowledged());
  say(
    `20 cuts: ${ids.length} events acknowledged and there once, ${writing.counts.retries} appends repeated`,
  );
});

test('a subscription that is cut goes on where it was, with neither gap nor duplicate', async () => {
  const category = newCategory();
  const listening = startListening(store, category);
  const writing = startWriting(direct, category, WRITERS);
  for (let round = 0; round < 20; round += 1) {
    const heard = listening.ids.length;
    await until(() => listening.ids.length >= heard + 30);
    if (round % 2 === 0) way.pause();
    const { length } = listening.ids;
    const acknowledged = writing.acknowledged();
    await until(() => writing.acknowledged() > acknowledged + 30);
    way.cut();
    expect(listening.ids.length).toBeGreaterThanOrEqual(length);
    way.heal();
  }
  await writing.stop();
  const ids = await expectAllThereOnce(writing, category);
  await until(() => listening.ids.length >= ids.length);
  expect(listening.ids).toEqual(ids);
  await listening.stop();
  say(`20 cuts: ${ids.length} events heard once and in order, in ${listening.batches()} batches`);
});

test('a server that is killed and comes back has lost nothing it acknowledged', async () => {
  const category = newCategory();
  const listening = startListening(store, category);
  const writing = startWriting(store, category, WRITERS);
  for (let round = 0; round < 6; round += 1) {
    const before = writing.acknowledged();
    await until(() => writing.acknowledged() >= before + 60 && listening.ids.length > before);
    await server.kill();
    await server.restart();
  }
  await writing.stop();
  const ids = await expectAllThereOnce(writing, category);
  expect(ids).toHaveLength(writing.acknowledged());
  await until(() => listening.ids.length >= ids.length);
  expect(listening.ids).toEqual(ids);
  await listening.stop();
  say(
    `6 kills: ${ids.length} events acknowledged, there once, heard once; ${writing.counts.retries} appends repeated`,
  );
});

test('a cluster that is gone is looked for again', async () => {
  const clustered = await openEventStoreDb({ url: server.url.replace('esdb:', 'esdb+discover:') });
  const category = newCategory();
  const listening = startListening(clustered, category);
  const writing = startWriting(clustered, category, WRITERS);
  await until(() => listening.ids.length > 0);
  await server.kill();
  const { retries } = writing.counts;
  await until(() => writing.counts.retries >= retries + 2 * WRITERS);
  await server.restart();
  const acknowledged = writing.acknowledged();
  await until(() => writing.acknowledged() > acknowledged);
  await writing.stop();
  const ids = await expectAllThereOnce(writing, category);
  await until(() => listening.ids.length >= ids.length);
  expect(listening.ids).toEqual(ids);
  await listening.stop();
  await clustered.close();
});

test('while nothing passes, everything ends as unavailable; then all is well again', async () => {
  const category = newCategory();
  await store.append(`${category}-1`, 'no_stream', newEvents(1));
  way.pause();
  const outcomes = await Promise.allSettled([
    store.append(`${category}-1`, 0, newEvents(1)),
    store.head(),
    idsOfStream(store, `${category}-1`),
    idsOfCategory(store, category),
  ]);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(EngineUnavailable) as unknown });
  way.heal();
  await until(() =>
    store.head().then(
      () => true,
      () => false,
    ),
  );
  const length = (await idsOfStream(store, `${category}-1`)).length;
  await expect(store.append(`${category}-1`, length - 1, newEvents(1))).resolves.toMatchObject({
    revision: length,
  });
});

test('a connection that has died without a word is given up, and another one is made', async () => {
  const category = newCategory();
  const events = newEvents(2);
  await store.append(`${category}-1`, 'no_stream', events.slice(0, 1));
  const listening = startListening(store, category);
  await until(() => listening.ids.length === 1);
  way.strand();
  const counts = { retries: 0 };
  await persist(store, `${category}-1`, 0, events.slice(1), counts);
  await until(() => listening.ids.length === 2, 60_000);
  expect(listening.ids).toEqual(events.map(({ id }) => id));
  await listening.stop();
  say(`${counts.retries} appends were unavailable before the connection was given up`);
});

test('a subscription ends at its signal and at the close of the store, connected or not', async () => {
  const category = newCategory();
  await store.append(`${category}-1`, 'no_stream', newEvents(1));
  const [first, second] = [startListening(store, category), startListening(store, newCategory())];
  await until(() => first.batches() > 0 && second.batches() > 0);
  way.cut();
  await first.stop();
  await store.close();
  await second.stop();
});

test('a slow consumer is sent no more than it can take', async () => {
  const category = newCategory();
  const text = 'x'.repeat(1_000);
  const total = 10_000;
  for (let n = 0; n < total; n += 500)
    await direct.append(`${category}-${n}`, 'no_stream', newEvents(500, text));
  const before = way.answered();
  const seen: string[] = [];
  let held = 0;
  for await (const batch of store.subscribe({
    after: BEGINNING,
    categories: [category],
    batchSize: 200,
    signal: AbortSignal.timeout(60_000),
  })) {
    if (seen.length === 0 && batch.events.length > 0) {
      // Until nothing more comes but the looks at the head.
      for (let last = -Infinity; way.answered() - last > 50_000;) {
        last = way.answered();
        await new Promise(resolve => setTimeout(resolve, 500));
      }
      held = way.answered() - before;
    }
    seen.push(...batch.events.map(({ id }) => id));
    if (seen.length === total) break;
  }
  expect(seen).toEqual(await idsOfCategory(direct, category));
  const all = way.answered() - before;
  expect(held).toBeLessThan(all / 5);
  say(
    `of ${all} bytes, ${held} had been sent while the first batch was in hand; then all ${total} events came`,
  );
});
