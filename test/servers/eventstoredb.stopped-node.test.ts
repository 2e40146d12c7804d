import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import type { EventStore } from '../../contracts/ports/event-store';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { type Cluster, startCluster } from './event-store-double/cluster';
import {
  expectAllOnce,
  idsOfStream,
  newCategory,
  newEvents,
  startSubscriber,
  startWriters,
  type Writers,
} from './eventstoredb-traffic';

/* Nodes of a cluster that are stopped and started again: they refuse connections meanwhile, and are behind afterwards. */

const NODES = 3;
const WRITERS = 4;

let cluster: Cluster;
let store: EventStore;
beforeEach(async () => {
  cluster = await startCluster(temporaryFolder(), NODES);
  store = await openEventStoreDb({ url: cluster.url });
});
afterEach(async () => {
  await store.close();
  await cluster.stop();
});

const aloneOn = (index: number): Promise<EventStore> =>
  openEventStoreDb({ url: `esdb://127.0.0.1:${cluster.ports[index]}?tls=false` });

const written = async (writers: Writers, count: number): Promise<void> => {
  const acknowledged = writers.acknowledged();
  await until(() => writers.acknowledged() >= acknowledged + count);
};

const hasCaughtUp = (index: number) => () => cluster.nodes[index]!.replicated === null;

const startTraffic = async () => {
  const category = newCategory();
  const subscriber = startSubscriber(store, category);
  const writers = startWriters(store, category, WRITERS);
  await written(writers, 30);
  return {
    writers,
    expectAllOnce: () => expectAllOnce(store, category, writers, subscriber),
  };
};

test('without one that follows, nothing fails; and it leads later, with all that was recorded without it', async () => {
  const { writers, expectAllOnce } = await startTraffic();
  await cluster.stopNode(1);
  await written(writers, 300);
  await cluster.startNode(1);
  await until(hasCaughtUp(1));
  expect(writers.counts.retries).toBe(0);
  cluster.elect(1);
  await written(writers, 60);
  await expectAllOnce();
});

test.each(['23.10', '24.2'] as const)(
  'while each leader in turn is stopped, and started again, each event is recorded once and delivered once: %s',
  async release => {
    cluster.nodes.forEach(node => Object.assign(node, { release }));
    const { writers, expectAllOnce } = await startTraffic();
    for (let leader = 0; leader < NODES; leader += 1) {
      const { retries } = writers.counts;
      await cluster.stopNode(leader);
      await until(() => writers.counts.retries > retries);
      cluster.elect((leader + 1) % NODES);
      await written(writers, 60);
      await cluster.startNode(leader);
      await until(hasCaughtUp(leader));
    }
    await expectAllOnce();
  },
);

test('without a leader commands are refused as unavailable; those given once another is elected succeed', async () => {
  const stream = `${newCategory()}-1`;
  const [first, second, third] = newEvents(3);
  await store.append(stream, 'no_stream', [first!]);
  await cluster.stopNode(0);
  for (const refused of [store.append(stream, 0, newEvents(1)), idsOfStream(store, stream)])
    await expect(refused).rejects.toBeInstanceOf(EngineUnavailable);
  cluster.elect(1);
  expect(await idsOfStream(store, stream)).toEqual([first!.id]);
  await store.append(stream, 0, [second!]);
  await cluster.stopNode(1);
  const elected = cluster.startNode(0).then(() => until(hasCaughtUp(0)));
  await elected;
  cluster.elect(0);
  await store.append(stream, 1, [third!]);
  expect(await idsOfStream(store, stream)).toEqual([first!.id, second!.id, third!.id]);
});

test('one that is started again and is behind gives its reader of a stream and its subscriber all that there is', async () => {
  const category = newCategory();
  const stream = `${category}-1`;
  const events = newEvents(400);
  await store.append(stream, 'no_stream', events.slice(0, 100));
  const alone = await aloneOn(2);
  const subscriber = startSubscriber(alone, category);
  await until(() => subscriber.ids.length === 100);
  await cluster.stopNode(2);
  for (let at = 100; at < events.length; at += 10)
    await store.append(stream, at - 1, events.slice(at, at + 10));
  await cluster.startNode(2);
  const read = until(() => idsOfStream(alone, stream));
  expect(await read).toEqual(events.map(({ id }) => id));
  await until(() => subscriber.ids.length >= events.length);
  expect(subscriber.ids).toEqual(events.map(({ id }) => id));
  await subscriber.stop();
  await alone.close();
});

test('a subscription from behind the end of one that is behind waits for it, without an interruption', async () => {
  const category = newCategory();
  const stream = `${category}-1`;
  await store.append(stream, 'no_stream', newEvents(1));
  await cluster.stopNode(2);
  const { position } = await store.append(stream, 0, newEvents(300));
  await cluster.startNode(2);
  const behind = await until(() => aloneOn(2));
  const [event] = newEvents(1);
  const interruptions: string[] = [];
  const options = {
    after: position,
    categories: [category],
    signal: AbortSignal.timeout(120_000),
    onInterrupted: (reason: string) => void interruptions.push(reason),
  };
  const received: string[] = [];
  void store.append(stream, 300, [event!]);
  for await (const batch of behind.subscribe(options)) {
    received.push(...batch.events.map(({ id }) => id));
    if (received.length > 0) break;
  }
  expect(received).toEqual([event!.id]);
  expect(interruptions).toEqual([]);
  await behind.close();
});
