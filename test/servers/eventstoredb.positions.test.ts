import { BEGINNING } from '../../contracts/position';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import type { EventBatch, EventStore } from '../../contracts/ports/event-store';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { type Cluster, startCluster } from './event-store-double/cluster';
import { CHUNK_BYTES } from './event-store-double/log-positions';
import { newCategory, newEvents } from './eventstoredb-traffic';
import { foreignStream, scavenge } from './scavenge';

/* Positions as a server has them: with gaps of a quarter of a gigabyte, behind the end, and where there is no record any more. */

/** No record could be at a position so far from one, and another chunk begins later. */
const BEYOND = 1_000_001;

let cluster: Cluster;
let store: EventStore;
beforeEach(async () => {
  cluster = await startCluster(temporaryFolder(), 2);
  store = await openEventStoreDb({ url: cluster.url });
});
afterEach(async () => {
  await store.close();
  await cluster.stop();
});

const append = async (stream: string, count = 1) => {
  const events = newEvents(count);
  const { position } = await store.append(stream, 'any', events);
  return { ids: events.map(({ id }) => id), position };
};

/** The ids of a category that a read and a subscription give after a position. */
const readAfter = async (after: number, category: string): Promise<string[]> => {
  const ids: string[] = [];
  for await (const batch of store.readAll({ after, categories: [category] }))
    ids.push(...batch.map(({ id }) => id));
  return ids;
};
const receiveAfter = async (after: number, category: string, count: number): Promise<string[]> => {
  const ids: string[] = [];
  const options = { after, categories: [category], batchSize: 1, signal: AbortSignal.timeout(120_000) };
  for await (const { events } of store.subscribe(options)) {
    ids.push(...events.map(({ id }) => id));
    if (ids.length >= count) break;
  }
  return ids;
};

describe.each(['23.10', '24.2'] as const)('a server of release %s', release => {
  beforeEach(() => cluster.nodes.forEach(node => Object.assign(node, { release })));

  test('begins another chunk after each scavenge: events on both sides of the gap are read and received in order, once', async () => {
    const category = newCategory();
    const ids: string[] = [];
    const positions = [await store.end()];
    const add = async (count: number): Promise<void> => {
      const added = await append(`${category}-1`, count);
      ids.push(...added.ids);
      positions.push(added.position);
    };
    for (let round = 0; round < 3; round += 1) {
      await add(1);
      await scavenge(cluster.url, [(await append(foreignStream())).ids[0]!]);
      await add(2);
    }
    expect(Math.max(...positions)).toBeGreaterThan(3 * CHUNK_BYTES);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(await receiveAfter(positions[0]!, category, ids.length)).toEqual(ids);
    expect(await readAfter(positions[0]!, category)).toEqual(ids);
    const backwards: string[] = [];
    for await (const batch of store.readAll({ direction: 'backwards', categories: [category] }))
      backwards.push(...batch.map(({ id }) => id));
    expect(backwards.toReversed()).toEqual(ids);
  });

  test.each([-63, -1, 1, 63])(
    'accepts any position in a chunk that was scavenged, as one that is %i bytes from a record that has gone',
    async bytes => {
      const category = newCategory();
      await append(`${category}-1`);
      const gone = foreignStream();
      const { position } = await append(gone);
      const { ids } = await append(`${category}-2`, 3);
      await scavenge(cluster.url, [gone]);
      ids.push(...(await append(`${category}-3`)).ids);
      expect(await readAfter(position + bytes, category)).toEqual(ids);
      expect(await receiveAfter(position + bytes, category, ids.length)).toEqual(ids);
    },
  );

  test('finds nothing behind the end, although no record could be there', async () => {
    expect(await readAfter((await store.end()) + BEYOND, newCategory())).toEqual([]);
  });

  test('subscribes behind the end, and delivers nothing but what the log has there one day', async () => {
    const category = newCategory();
    const end = await store.end();
    const after = end + BEYOND;
    const interruptions: string[] = [];
    const options = {
      after,
      categories: [category],
      signal: AbortSignal.timeout(120_000),
      onInterrupted: (reason: string) => void interruptions.push(reason),
    };
    const subscription = store.subscribe(options);
    const iterator = subscription[Symbol.asyncIterator]();
    const first = iterator.next();
    const { reads } = cluster.nodes[0]!;
    expect((await append(`${category}-1`)).position).toBeLessThan(after);
    // It has asked the store for its progress meanwhile.
    await until(() => cluster.nodes[0]!.reads >= reads + 3);
    expect((await append(`${category}-2`)).position).toBeLessThan(after);
    expect(interruptions).toEqual([]);

    await scavenge(cluster.url, []);
    const { ids } = await append(`${category}-3`, 2);
    const received: EventBatch[] = [];
    for (let batch = await first; !batch.done; batch = await iterator.next()) {
      received.push(batch.value);
      if (received.flatMap(({ events }) => events).length >= ids.length) break;
    }
    await iterator.return?.();
    expect(received.flatMap(({ events }) => events.map(({ id }) => id))).toEqual(ids);
    expect(interruptions).toEqual([]);
  });

  test('has an earlier head after a scavenge, and no earlier end', async () => {
    const kept = await append(`${newCategory()}-1`);
    const gone = foreignStream();
    const { position } = await append(gone);
    await scavenge(cluster.url, [gone]);
    expect(await store.head()).toBe(kept.position);
    expect(await store.end()).toBeGreaterThan(position);
  });
});

test('a subscription goes on when the node that is asked next lacks what its own has sent', async () => {
  const [leader, follower] = cluster.nodes;
  const alone = await openEventStoreDb({ url: `esdb://127.0.0.1:${cluster.ports[1]}?tls=false` });
  const { position } = await append(`${newCategory()}-1`);
  follower!.replicated = position;
  await append(`${newCategory()}-1`, 500);
  // For this it is sent to the leader.
  for await (const _event of alone.readStream('none-1'));

  const category = newCategory();
  const signal = AbortSignal.timeout(120_000);
  const positions: number[] = [];
  for await (const batch of alone.subscribe({
    after: BEGINNING,
    categories: [category],
    batchSize: 1,
    signal,
  })) {
    positions.push(batch.position);
    if (positions.length === 1) {
      leader!.rejectsAppends = 'Server Is Busy';
      const rejected = alone.append(`${newCategory()}-1`, 'any', newEvents(1));
      await expect(rejected).rejects.toBeInstanceOf(EngineUnavailable);
      leader!.rejectsAppends = null;
      const { reads } = follower!;
      void until(() => follower!.reads > reads + 1).then(() => (follower!.replicated = null));
    }
    if (batch.position >= (await store.end())) break;
  }
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  await alone.close();
});
