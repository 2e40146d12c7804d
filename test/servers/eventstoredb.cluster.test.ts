import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EngineAccessDenied } from '../../contracts/engine/engine-access-denied';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { BEGINNING } from '../../contracts/position';
import { connect, MIN_LEAVE_INTERVAL_MS } from '../../infra/engines/event-store/eventstoredb/connection';
import { normalizeConnectionString } from '../../infra/engines/event-store/eventstoredb/connection-string';
import { readAllRequest } from '../../infra/engines/event-store/eventstoredb/read-requests';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { AppendTooLarge, type EventStore } from '../../contracts/ports/event-store';
import { scaled } from '../random';
import { until } from '../until';
import { identify } from './eventstoredb';
import { type Cluster, startCluster } from './event-store-double/cluster';
import {
  expectAllOnce,
  idsOfCategory,
  idsOfStream,
  newCategory,
  newEvents,
  startSubscriber,
  startWriters,
} from './eventstoredb-traffic';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy';
import { foreignStream, scavenge } from './scavenge';

/* Faults that a real server cannot be made to have: on nodes of the double in this process. */

/** Events of 10 kB: dozens are on their way to a slow consumer, and then 32 wait at the server before it drops it. */
const MORE_THAN_WAIT = 200;

/** Than a connection has at a time. */
const MORE_THAN_CALLS = 120;

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

const rejectionOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a node that takes no appends, on a call that stays open,', () => {
  const append = (): Promise<unknown> =>
    rejectionOf(store.append(`${newCategory()}-1`, 'no_stream', newEvents(1)));

  test.each(['Server Is Not Ready', 'Server Is Busy', 'No leader info available in response'])(
    'is left for the one that leads: %s',
    async reason => {
      expect(await append()).toBeNull();
      cluster.elect(1);
      cluster.nodes[0]!.rejectsAppends = reason;
      expect(await append()).toMatchObject({
        name: 'EngineUnavailable',
        reason: expect.stringContaining(reason) as unknown,
      });
      for (let n = 0; n < 40; n++) expect(await append()).toBeNull();
    },
  );

  test('is left once for all the appends that it rejects', async () => {
    expect(await append()).toBeNull();
    cluster.elect(1);
    cluster.nodes[0]!.rejectsAppends = 'Server Is Not Ready';
    const rejections = await Promise.all(Array.from({ length: 40 }, append));
    expect(rejections).toEqual(Array(40).fill(expect.any(EngineUnavailable)));
    expect(await append()).toBeNull();
  });

  test('is asked again and again, when it has no other, and uses up no calls of the connection', async () => {
    const alone = await openEventStoreDb({ url: `esdb://127.0.0.1:${cluster.ports[0]}?tls=false` });
    const stream = `${newCategory()}-1`;
    cluster.nodes[0]!.rejectsAppends = 'Server Is Busy';
    for (let n = 0; n < MORE_THAN_CALLS; n++)
      expect(await rejectionOf(alone.append(stream, 'no_stream', newEvents(1)))).toMatchObject({
        reason: expect.stringContaining('Server Is Busy') as unknown,
      });
    cluster.nodes[0]!.rejectsAppends = null;
    expect(await rejectionOf(alone.append(stream, 'no_stream', newEvents(1)))).toBeNull();
    expect(await idsOfStream(alone, stream)).toHaveLength(1);
    await alone.close();
  });

  test('is asked again when there is no other', async () => {
    for (const node of cluster.nodes) node.rejectsAppends = 'Server Is Busy';
    expect(await append()).toBeInstanceOf(EngineUnavailable);
    expect(await append()).toBeInstanceOf(EngineUnavailable);
    for (const node of cluster.nodes) node.rejectsAppends = null;
    expect(await append()).toBeNull();
  });
});

test('while the leader is replaced, and the former one rejects appends, each happens once and is delivered once', async () => {
  const category = newCategory();
  const subscriber = startSubscriber(store, category);
  const writers = startWriters(store, category, 4);
  for (const leader of [1, 0, 1, 0, 1, 0].slice(0, scaled(3))) {
    const former = cluster.nodes[1 - leader]!;
    former.rejectsAppends = 'Server Is Not Ready';
    cluster.elect(leader);
    const { retries } = writers.counts;
    await until(() => writers.counts.retries > retries);
    const acknowledged = writers.acknowledged();
    await until(() => writers.acknowledged() >= acknowledged + 30);
    former.rejectsAppends = null;
  }
  await expectAllOnce(store, category, writers, subscriber);
});

test('an append of which the server acknowledges no position is completed at a close', async () => {
  for (const node of cluster.nodes) node.hasNoPositions = true;
  const stream = `${newCategory()}-1`;
  const append = rejectionOf(store.append(stream, 'no_stream', newEvents(1)));
  const { reads } = cluster.nodes[0]!;
  await until(() => cluster.nodes[0]!.reads > reads);
  await store.close();
  expect(await append).toBeNull();
});

test('an append of which the position cannot be read waits for it no longer than for its answer', async () => {
  const node = cluster.nodes[0]!;
  // It answers the append, and nothing more.
  Object.defineProperty(node, 'hasNoPositions', { get: () => (node.isSilent = true) });
  const append = store.append(`${newCategory()}-1`, 'no_stream', newEvents(1));
  expect(await rejectionOf(append)).toMatchObject({
    name: 'EngineUnavailable',
    reason: expect.stringContaining('did not say where in time') as unknown,
  });
});

test('a deletion waits no longer for a node that is left than for an answer', async () => {
  const connection = connect(normalizeConnectionString(cluster.url));
  const read = () => connection.read(readAllRequest('end', 'backwards', null, 1));
  const { node } = await read();
  cluster.nodes.forEach(each => (each.isSilent = true));
  await node.leave();
  const discovery = rejectionOf(read());
  await pause(1.5 * MIN_LEAVE_INTERVAL_MS);
  const ends: string[] = [];
  const leaving = node.leave().then(() => ends.push('left'));
  const deletion = rejectionOf(connection.deleteStream(`${newCategory()}-1`, 0));
  expect(await deletion).toBeInstanceOf(EngineUnavailable);
  expect(ends).toEqual([]);
  cluster.nodes.forEach(each => (each.isSilent = false));
  await Promise.all([leaving, discovery]);
  await connection.close();
});

test('an append whose call the server ends is not acknowledged, the next one has another call, and no call keeps the store open', async () => {
  const append = (): Promise<unknown> =>
    rejectionOf(store.append(`${newCategory()}-1`, 'no_stream', newEvents(1)));
  cluster.nodes[0]!.endsAppendCalls = true;
  expect(await append()).toBeInstanceOf(EngineUnavailable);
  cluster.nodes[0]!.endsAppendCalls = false;
  expect(await append()).toBeNull();
  await store.close();
});

describe('a node that follows another', () => {
  test('is left by a read of a stream, which includes every acknowledged append', async () => {
    const stream = `${newCategory()}-1`;
    const events = newEvents(3);
    await store.append(stream, 'no_stream', events.slice(0, 1));
    const follower = cluster.nodes[0]!;
    follower.replicated = await store.head();
    cluster.elect(1);
    // The follower forwards it to the leader.
    await store.append(stream, 0, events.slice(1));
    expect(await idsOfStream(store, stream)).toEqual(events.map(({ id }) => id));
  });

  test('is left as often as the leader is replaced while a read is on its way', async () => {
    const stream = `${newCategory()}-1`;
    const events = newEvents(2);
    await store.append(stream, 'no_stream', events);
    let elections = 7;
    cluster.nodes.forEach((node, index) =>
      Object.defineProperty(node, 'leader', {
        get: () =>
          elections-- > 0 || index === 1 ? { host: '127.0.0.1', port: cluster.ports[1 - index]! } : null,
      }),
    );
    expect(await idsOfStream(store, stream)).toEqual(events.map(({ id }) => id));
    expect(elections).toBeLessThanOrEqual(0);
  });

  test('is left by a read of the end, which would otherwise look like a loss', async () => {
    await store.append(`${newCategory()}-1`, 'no_stream', newEvents(1));
    const follower = cluster.nodes[0]!;
    follower.replicated = await store.head();
    cluster.elect(1);
    const { position } = await store.append(`${newCategory()}-1`, 'no_stream', newEvents(1));
    expect(await store.end()).toBe(position);
  });

  test('is left by concurrent reads, of which none fails', async () => {
    const stream = `${newCategory()}-1`;
    const events = newEvents(2);
    await store.append(stream, 'no_stream', events);
    for (const leader of [1, 0, 1]) {
      cluster.elect(leader);
      const reads = await Promise.all(Array.from({ length: 20 }, () => idsOfStream(store, stream)));
      expect(reads).toEqual(Array(20).fill(events.map(({ id }) => id)));
    }
  });
});

describe.each(['23.10', '24.2'] as const)('a subscription to release %s', release => {
  beforeEach(() => cluster.nodes.forEach(node => Object.assign(node, { release })));

  const append = async (stream: string, count = 1, text = ''): Promise<string[]> => {
    const events = newEvents(count, text);
    await store.append(stream, 'any', events);
    return events.map(({ id }) => id);
  };
  const take = async (
    after: number,
    category: string,
    count: number,
    batchSize = 1_000,
  ): Promise<string[]> => {
    const ids: string[] = [];
    const signal = AbortSignal.timeout(120_000);
    for await (const batch of store.subscribe({ after, categories: [category], batchSize, signal })) {
      ids.push(...batch.events.map(({ id }) => id));
      if (ids.length >= count) break;
    }
    return ids;
  };

  test.each([1, 70])(
    'begins with the event behind its position, of which the record and the %i before have vanished',
    async count => {
      const category = newCategory();
      await append(`${category}-1`);
      const foreign = Array.from({ length: count }, foreignStream);
      for (const stream of foreign) await append(stream);
      const after = await store.end();
      const ids = await append(`${category}-2`, 3);
      await scavenge(cluster.url, foreign);
      expect(await take(after, category, 3, 2)).toEqual(ids);
    },
  );

  test('begins with the event behind its position, of which the stream was one of its own', async () => {
    const category = newCategory();
    await append(`${category}-gone`);
    const after = await store.end();
    const ids = [...(await append(`${category}-1`)), ...(await append(`${category}-2`))];
    await scavenge(cluster.url, [`${category}-gone`]);
    expect(await take(after, category, 2)).toEqual(ids);
  });

  test('of a slow consumer continues without gaps or duplicates, although records vanish meanwhile', async () => {
    const warnings: string[] = [];
    const logger = { warn: (_: unknown, text: string) => void warnings.push(text) };
    const slow = await openEventStoreDb({ url: cluster.url, logger: logger as never });
    const category = newCategory();
    const interruptions: string[] = [];
    const options = {
      after: await store.end(),
      categories: [category],
      batchSize: 2,
      onInterrupted: (reason: string) => void interruptions.push(reason),
    };
    const received: string[] = [];
    const ids = await append(`${category}-1`);
    for await (const batch of slow.subscribe({ ...options, signal: AbortSignal.timeout(120_000) })) {
      received.push(...batch.events.map(({ id }) => id));
      if (ids.length === 1 && received.length === 1) {
        const foreign: string[] = [];
        for (let n = 0; n < MORE_THAN_WAIT / 5; n += 1) {
          ids.push(...(await append(`${category}-${n}`, 5, 'x'.repeat(10_000))));
          foreign.push(foreignStream());
          await append(foreign.at(-1)!);
        }
        await scavenge(cluster.url, foreign);
      }
      if (received.length === ids.length && ids.length > 1) break;
    }
    expect(received).toEqual(ids);
    expect(interruptions.includes('slow_consumer')).toBe(release === '23.10');
    expect(warnings.some(text => text.includes('were not taken fast enough'))).toBe(release === '23.10');
    await slow.close();
  });
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

describe('a filtered read that is silent while the server scans', () => {
  let endScan: () => void;
  let proxy: FaultyProxy;
  beforeEach(async () => {
    const scanned = new Promise<void>(resolve => (endScan = resolve));
    proxy = await startFaultyProxy({ port: cluster.ports[0]! });
    await store.close();
    store = await openEventStoreDb({ url: `esdb://127.0.0.1:${proxy.port}?tls=false` });
    cluster.nodes[0]!.scan = () => scanned;
  });
  afterEach(async () => {
    endScan();
    await store.close();
    await proxy.close();
  });

  test('waits for as long as the server answers other reads', async () => {
    const category = newCategory();
    const events = newEvents(2);
    await store.append(`${category}-1`, 'no_stream', events);
    const { reads } = cluster.nodes[0]!;
    const ids = idsOfCategory(store, category);
    // The read itself, and one after each time limit.
    await Promise.race([ids, until(() => cluster.nodes[0]!.reads >= reads + 3)]);
    endScan();
    expect(await ids).toEqual(events.map(({ id }) => id));
  });

  test('is repeated on another connection when its own is lost', async () => {
    const category = newCategory();
    const events = newEvents(2);
    await store.append(`${category}-1`, 'no_stream', events);
    const { reads } = cluster.nodes[0]!;
    const ids = idsOfCategory(store, category);
    await until(() => cluster.nodes[0]!.reads > reads);
    proxy.stallConnections();
    endScan();
    expect(await ids).toEqual(events.map(({ id }) => id));
  });
});

describe('a connection that is reset by a request', () => {
  let proxy: FaultyProxy;
  let stream: string;
  let resets: number;
  beforeEach(async () => {
    proxy = await startFaultyProxy({ port: cluster.ports[0]! });
    await store.close();
    store = await openEventStoreDb({ url: `esdb://127.0.0.1:${proxy.port}?tls=false` });
    stream = `${newCategory()}-1`;
    await store.append(stream, 'no_stream', newEvents(2));
    resets = 0;
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });

  /** As often as a leader may be replaced meanwhile. */
  const resetsOn = (name: string, times = 3): void =>
    proxy.resetOn(data => data.includes(name) && (resets += 1) <= times);

  test.each<[what: string, work: () => Promise<unknown>]>([
    ['an append', () => store.append(stream, 1, newEvents(1))],
    ['a read of a stream', () => idsOfStream(store, stream)],
    ['a read of all', () => idsOfCategory(store, stream.split('-')[0]!)],
  ])('does not fail it, when another one works: %s', async (_, work) => {
    resetsOn(stream.split('-')[0]!);
    expect(await rejectionOf(work())).toBeNull();
    expect(resets).toBeGreaterThan(3);
  });

  test('makes appends once, although they had been made and their answers were lost', async () => {
    const direct = await openEventStoreDb({ url: cluster.url });
    const others = Array.from({ length: 20 }, () => `${newCategory()}-1`);
    proxy.dropReplies();
    const appends = [
      store.append(stream, 1, newEvents(1)),
      ...others.map(other => store.append(other, 'no_stream', newEvents(1))),
    ];
    await until(async () => (await idsOfStream(direct, others.at(-1)!)).length === 1);
    proxy.reset();
    proxy.restore();
    const made = await Promise.all(appends);
    expect(made.map(({ revision }) => revision)).toEqual([2, ...others.map(() => 0)]);
    expect(await idsOfStream(direct, stream)).toHaveLength(3);
    for (const other of others) expect(await idsOfStream(direct, other)).toHaveLength(1);
    await direct.close();
  });

  test('again and again, refuses appends and reads as unavailable', async () => {
    resetsOn(stream, Infinity);
    const work = [store.append(stream, 1, newEvents(1)), idsOfStream(store, stream)];
    for (const refused of work) expect(await rejectionOf(refused)).toBeInstanceOf(EngineUnavailable);
  });

  test('does not repeat an append that expects any revision: the server may not recognize it', async () => {
    resetsOn(stream);
    expect(await rejectionOf(store.append(stream, 'any', newEvents(1)))).toBeInstanceOf(EngineUnavailable);
    expect(resets).toBe(1);
  });
});

describe('a leader that stops answering', () => {
  beforeEach(async () => {
    await store.append(`${newCategory()}-1`, 'no_stream', newEvents(1));
    cluster.nodes[0]!.isSilent = true;
    cluster.elect(1);
  });

  test('is left for the new one by a command, and by an append that it has not answered', async () => {
    const unanswered = newEvents(1);
    const [waiting, stream] = [`${newCategory()}-1`, `${newCategory()}-1`];
    const append = rejectionOf(store.append(waiting, 'no_stream', unanswered));
    expect(await idsOfStream(store, stream)).toEqual([]);
    await store.append(stream, 'no_stream', newEvents(1));
    expect(await append).toBeNull();
    expect(await idsOfStream(store, waiting)).toEqual(unanswered.map(({ id }) => id));
    expect(await rejectionOf(store.append(stream, 0, newEvents(1)))).toBeNull();
  });

  test('fails an append that it may have made and that the new one would make again', async () => {
    const append = store.append(`${newCategory()}-1`, 'any', newEvents(1));
    expect(await rejectionOf(append)).toBeInstanceOf(EngineUnavailable);
  });
});

test('a server that is starting is named as such, and is opened once it has started', async () => {
  for (const node of cluster.nodes) node.rejectsReads = 'Server Is Not Ready';
  const opening = openEventStoreDb({ url: cluster.url });
  expect(String(await rejectionOf(opening))).toMatch(/does not answer requests yet.*Server Is Not Ready/);
  expect(await rejectionOf(store.head())).toBeInstanceOf(EngineUnavailable);
  for (const node of cluster.nodes) node.rejectsReads = null;
  expect(await rejectionOf(store.head())).toBeNull();
  await (await openEventStoreDb({ url: cluster.url })).close();
});

test('a server that is too busy to read is unavailable, and is asked again', async () => {
  for (const node of cluster.nodes) node.rejectsReads = 'Server Is Too Busy';
  for (const read of [store.head(), idsOfStream(store, `${newCategory()}-1`)])
    expect(await rejectionOf(read)).toMatchObject({
      name: 'EngineUnavailable',
      reason: expect.stringContaining('Too Busy') as unknown,
    });
  for (const node of cluster.nodes) node.rejectsReads = null;
  expect(await rejectionOf(store.head())).toBeNull();
});

test('what the runner calls real or a double is what the server says that it is', async () => {
  expect(await identify(cluster.url)).toMatchObject({ kind: 'double' });
  for (const node of cluster.nodes) node.version = '23.10.6.0';
  expect(await identify(cluster.url)).toEqual({ kind: 'real', version: '23.10.6.0' });
});

test('a server of which the reads have no positions is refused as too old', async () => {
  for (const node of cluster.nodes) node.version = '21.10.11.0';
  expect(String(await rejectionOf(openEventStoreDb({ url: cluster.url })))).toContain('22.6 or later');
});

describe('what only an operator can fix is not reported as unavailable:', () => {
  const others = (error: unknown): void => {
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(EngineUnavailable);
  };

  const subscribed = async (after: number): Promise<void> => {
    for await (const _batch of store.subscribe({ after, signal: AbortSignal.timeout(60_000) })) return;
  };

  test('a user without the right to append', async () => {
    cluster.nodes[0]!.denied = 'appends';
    const stream = `${newCategory()}-1`;
    const error = await rejectionOf(store.append(stream, 'no_stream', newEvents(1)));
    expect(error).toBeInstanceOf(EngineAccessDenied);
    expect((error as Error).message).toContain('EVENTSTORE_URL');
    expect(await idsOfStream(store, stream)).toEqual([]);
  });

  test('a user without the right to read', async () => {
    const stream = `${newCategory()}-1`;
    await store.append(stream, 'no_stream', newEvents(1));
    cluster.nodes[0]!.denied = 'reads';
    for (const work of [store.head(), idsOfStream(store, stream), subscribed(BEGINNING)])
      expect(await rejectionOf(work)).toBeInstanceOf(EngineAccessDenied);
  });

  test.each(['23.10', '24.2'] as const)(
    'a position at which the server, of release %s, has no record',
    async release => {
      cluster.nodes[0]!.release = release;
      const { position } = await store.append(`${newCategory()}-1`, 'no_stream', newEvents(1));
      const after = position + 1;
      await store.append(`${newCategory()}-1`, 'no_stream', newEvents(1));
      const read = async (): Promise<void> => {
        for await (const _batch of store.readAll({ after })) return;
      };
      for (const work of [read(), subscribed(after)]) {
        const error = await rejectionOf(work);
        others(error);
        expect((error as Error).message).toContain('no record at the position');
      }
    },
  );

  test('a user who may not read all, at the start', async () => {
    cluster.nodes.forEach(node => (node.denied = 'reads'));
    const error = await rejectionOf(openEventStoreDb({ url: cluster.url }));
    expect(String(error)).toContain('the user lacks the right to read $all');
  });

  test('an append that is too large, which is not sent', async () => {
    cluster.nodes[0]!.isSilent = true;
    const append = store.append(`${newCategory()}-1`, 'no_stream', newEvents(2, 'x'.repeat(600_000)));
    expect(await rejectionOf(append)).toBeInstanceOf(AppendTooLarge);
  });
});
