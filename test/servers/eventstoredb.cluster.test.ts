import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import type { EventStore } from '../../contracts/ports/event-store';
import { until } from '../until';
import { type Cluster, startCluster } from './event-store-double/cluster';
import { newCategory, newEvents, startSubscriber } from './eventstoredb-traffic';

/* Faults that a real server cannot be made to have: on nodes of the double in this process. */

let folder: string;
let cluster: Cluster;
let store: EventStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eventstoredb-cluster-'));
  cluster = await startCluster(folder, 2);
  store = await openEventStoreDb({ url: cluster.url });
});
afterEach(async () => {
  await store.close();
  await cluster.stop();
  await rm(folder, { recursive: true });
});

describe('a subscription', () => {
  test('continues after checkpoints without a position', async () => {
    for (const node of cluster.nodes) node.hasEmptyCheckpoints = true;
    const category = newCategory();
    await store.append(`${newCategory()}-1`, 'no_stream', newEvents(250));
    const subscriber = startSubscriber(store, category);
    await until(() => subscriber.batches() > 0);
    const [event] = newEvents(1);
    await store.append(`${category}-1`, 'no_stream', [event!]);
    await until(() => subscriber.ids.length > 0);
    await subscriber.stop();
    expect(subscriber.ids).toEqual([event!.id]);
  });
});
