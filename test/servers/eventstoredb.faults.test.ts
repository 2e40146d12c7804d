import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { BEGINNING } from '../../contracts/position';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import type { EventStore } from '../../contracts/ports/event-store';
import { scaled } from '../random';
import { until } from '../until';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy';
import { doubleOfEventStoreDb } from './eventstoredb';
import {
  idsOfCategory,
  idsOfStream,
  newCategory,
  newEvents,
  appendUntilAcknowledged,
  startSubscriber,
  startWriters,
  type Writers,
} from './eventstoredb-traffic';
import { foreignStream, scavenge } from './scavenge';
import type { RunningServer } from './server';

const WRITERS = 4;
const INTERRUPTIONS = Math.min(scaled(6), 20);
const KILLS = Math.min(scaled(2), 6);

let folder: string;
let server: RunningServer;
let direct: EventStore;
let proxy: FaultyProxy;
let store: EventStore;

const portOf = (url: string): number => Number(/:(\d+)\?/.exec(url)![1]);
const through = (proxy: FaultyProxy): string => `esdb://${proxy.host}:${proxy.port}?tls=false`;
const say = (line: string): void => void process.stdout.write(`    ${line}\n`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eventstoredb-faults-'));
  server = await doubleOfEventStoreDb('--empty-checkpoints', '--slow-scans').start(join(folder, 'server'));
  direct = await openEventStoreDb({ url: server.url });
});
beforeEach(async () => {
  proxy = await startFaultyProxy({ port: portOf(server.url) });
  store = await openEventStoreDb({ url: through(proxy) });
});
afterEach(async () => {
  proxy.restore();
  await store.close();
  await proxy.close();
});
afterAll(async () => {
  await direct.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

const expectEachStoredOnce = async ({ writers }: Writers, category: string): Promise<string[]> => {
  for (const { stream, acknowledged } of writers)
    expect(await idsOfStream(direct, stream)).toEqual(acknowledged);
  const ids = await idsOfCategory(direct, category);
  expect(new Set(ids).size).toBe(ids.length);
  return ids;
};

/** Breaks the connection repeatedly, each time after some more appends were acknowledged. */
const breakConnections = async (category: string, writers: Writers, rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    const before = writers.acknowledged();
    await until(() => writers.acknowledged() >= before + 30);
    if (round % 2 === 1) {
      proxy.dropReplies();
      // Every other time the responses to completed appends are lost.
      await until(async () => (await idsOfCategory(direct, category)).length > writers.acknowledged());
    }
    const { retries } = writers.counts;
    proxy.reset();
    await until(() => writers.counts.retries > retries);
    proxy.restore();
  }
};

test('appends whose connection breaks, before or after the server completed them, happen once', async () => {
  const category = newCategory();
  const writers = startWriters(store, category, WRITERS);
  await breakConnections(category, writers, INTERRUPTIONS);
  await writers.stop();
  const ids = await expectEachStoredOnce(writers, category);
  expect(ids).toHaveLength(writers.acknowledged());
  say(
    `${INTERRUPTIONS} interruptions: ${ids.length} events acknowledged and stored once, ${writers.counts.retries} appends repeated`,
  );
});

test('an interrupted subscription resumes without gaps or duplicates', async () => {
  const category = newCategory();
  const subscriber = startSubscriber(store, category);
  const writers = startWriters(direct, category, WRITERS);
  for (let round = 0; round < INTERRUPTIONS; round += 1) {
    const received = subscriber.ids.length;
    await until(() => subscriber.ids.length >= received + 30);
    if (round % 2 === 0) proxy.pause();
    const { length } = subscriber.ids;
    const acknowledged = writers.acknowledged();
    await until(() => writers.acknowledged() > acknowledged + 30);
    proxy.reset();
    expect(subscriber.ids.length).toBeGreaterThanOrEqual(length);
    proxy.restore();
  }
  await writers.stop();
  const ids = await expectEachStoredOnce(writers, category);
  await until(() => subscriber.ids.length >= ids.length);
  expect(subscriber.ids).toEqual(ids);
  await subscriber.stop();
  say(
    `${INTERRUPTIONS} interruptions: ${ids.length} events delivered once and in order, in ${subscriber.batches()} batches`,
  );
});

test('an interrupted subscription resumes, although the record at its position has vanished meanwhile', async () => {
  const category = newCategory();
  const subscriber = startSubscriber(store, category);
  const ids: string[] = [];
  const append = async (): Promise<void> => {
    const events = newEvents(2);
    await direct.append(`${category}-${ids.length}`, 'no_stream', events);
    ids.push(...events.map(({ id }) => id));
  };
  for (let round = 0; round < INTERRUPTIONS / 2; round += 1) {
    await append();
    const foreign = [foreignStream(), foreignStream()];
    for (const stream of foreign) await direct.append(stream, 'no_stream', newEvents(1));
    const head = await direct.head();
    await until(() => subscriber.position() >= head);
    proxy.reset();
    await append();
    await scavenge(server.url, foreign);
    proxy.restore();
    await until(() => subscriber.ids.length >= ids.length);
  }
  expect(subscriber.ids).toEqual(ids);
  await subscriber.stop();
});

test('a server that is killed and restarted has lost no acknowledged event', async () => {
  const category = newCategory();
  const subscriber = startSubscriber(store, category);
  const writers = startWriters(store, category, WRITERS);
  for (let round = 0; round < KILLS; round += 1) {
    const before = writers.acknowledged();
    await until(() => writers.acknowledged() >= before + 60 && subscriber.ids.length > before);
    await server.kill();
    await server.restart();
  }
  await writers.stop();
  const ids = await expectEachStoredOnce(writers, category);
  expect(ids).toHaveLength(writers.acknowledged());
  await until(() => subscriber.ids.length >= ids.length);
  expect(subscriber.ids).toEqual(ids);
  await subscriber.stop();
  say(
    `${KILLS} kills: ${ids.length} events acknowledged, stored once, delivered once; ${writers.counts.retries} appends repeated`,
  );
});

test('an unavailable cluster is discovered again', async () => {
  const clustered = await openEventStoreDb({ url: server.url.replace('esdb:', 'esdb+discover:') });
  const category = newCategory();
  const subscriber = startSubscriber(clustered, category);
  const writers = startWriters(clustered, category, WRITERS);
  await until(() => subscriber.ids.length > 0);
  await server.kill();
  const { retries } = writers.counts;
  await until(() => writers.counts.retries >= retries + 2 * WRITERS);
  await server.restart();
  const acknowledged = writers.acknowledged();
  await until(() => writers.acknowledged() > acknowledged);
  await writers.stop();
  const ids = await expectEachStoredOnce(writers, category);
  await until(() => subscriber.ids.length >= ids.length);
  expect(subscriber.ids).toEqual(ids);
  await subscriber.stop();
  await clustered.close();
});

test('while the connection is stalled, all operations fail as unavailable; afterwards they succeed', async () => {
  const category = newCategory();
  await store.append(`${category}-1`, 'no_stream', newEvents(1));
  proxy.pause();
  const outcomes = await Promise.allSettled([
    store.append(`${category}-1`, 0, newEvents(1)),
    store.head(),
    idsOfStream(store, `${category}-1`),
    idsOfCategory(store, category),
  ]);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(EngineUnavailable) as unknown });
  proxy.restore();
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

test('a connection that is lost without notice is replaced', async () => {
  const category = newCategory();
  const events = newEvents(2);
  await store.append(`${category}-1`, 'no_stream', events.slice(0, 1));
  const subscriber = startSubscriber(store, category);
  await until(() => subscriber.ids.length === 1);
  proxy.stallConnections();
  const counts = { retries: 0 };
  await appendUntilAcknowledged(store, `${category}-1`, 0, events.slice(1), counts);
  await until(() => subscriber.ids.length === 2);
  expect(subscriber.ids).toEqual(events.map(({ id }) => id));
  await subscriber.stop();
  say(`${counts.retries} appends were unavailable before the connection was replaced`);
});

test('a subscription ends at its signal and at the close of the store, connected or not', async () => {
  const category = newCategory();
  await store.append(`${category}-1`, 'no_stream', newEvents(1));
  const [first, second] = [startSubscriber(store, category), startSubscriber(store, newCategory())];
  await until(() => first.batches() > 0 && second.batches() > 0);
  proxy.reset();
  await first.stop();
  await store.close();
  await second.stop();
});

test('a slow consumer is subject to backpressure', async () => {
  const category = newCategory();
  const text = 'x'.repeat(1_000);
  const total = 4_000;
  for (let n = 0; n < total; n += 500)
    await direct.append(`${category}-${n}`, 'no_stream', newEvents(500, text));
  const before = proxy.bytesReceived();
  const seen: string[] = [];
  let buffered = 0;
  for await (const batch of store.subscribe({
    after: BEGINNING,
    categories: [category],
    batchSize: 200,
    signal: AbortSignal.timeout(60_000),
  })) {
    if (seen.length === 0 && batch.events.length > 0) {
      // Until only polls of the head are received.
      for (let last = -Infinity; proxy.bytesReceived() - last > 50_000;) {
        last = proxy.bytesReceived();
        await new Promise(resolve => setTimeout(resolve, 500));
      }
      buffered = proxy.bytesReceived() - before;
    }
    seen.push(...batch.events.map(({ id }) => id));
    if (seen.length === total) break;
  }
  expect(seen).toEqual(await idsOfCategory(direct, category));
  const all = proxy.bytesReceived() - before;
  expect(buffered).toBeLessThan(all / 5);
  say(`of ${all} bytes, ${buffered} had been sent during the first batch; then all ${total} events arrived`);
});
