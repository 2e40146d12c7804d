import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import type { Commit, Documents } from '../../contracts/ports/documents';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { until } from '../until';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy';
import { LAST, play, positionOf, SPECS } from './mongodb/script';

/** A primary that hangs: it accepts connections and requests, and never answers. */

const server = new URL(process.env['MONGODB_URL']!.split(',')[0]!);
const database = `tidemark-${randomUUID()}`;

/** All that a monitor of the driver sends, and every connection at first. */
const isGreeting = (data: Buffer): boolean => /hello|ismaster/i.test(data.toString('latin1'));

const HANGS: [what: string, hang: (proxy: FaultyProxy) => void][] = [
  ['to all', proxy => proxy.pause()],
  ['to all but the monitors of drivers', proxy => proxy.stallOn(data => !isGreeting(data))],
];

let proxy: FaultyProxy;
let documents: Documents;

beforeEach(async () => {
  proxy = await startFaultyProxy({ host: server.hostname, port: Number(server.port || 27_017) });
  const url = `mongodb://${proxy.host}:${proxy.port}/?directConnection=true`;
  documents = await until(() => openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() }));
  // With the time limits of the program, which a busy machine may miss.
  await until(() => play(documents).then(() => true));
});

afterEach(async () => {
  await documents.close();
  await proxy.close();
  const client = new MongoClient(server.href);
  await client.db(database).dropDatabase();
  await client.close();
});

const errorOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

const commitOf = (id: string): Promise<void> =>
  documents.commit({ writes: [{ collection: 'log', id, document: { _id: id } }] });

describe.each(HANGS)('%s', (_, hang) => {
  test('reads and commits fail after their time limits, all others at once, until it answers', async () => {
    hang(proxy);
    const first = await Promise.all([documents.get('log', '1'), commitOf('5')].map(errorOf));
    for (const error of first) expect(error).toBeInstanceOf(EngineUnavailable);
    // Each would wait for seconds, longer than the limit of this test.
    for (let n = 0; n < 500; n++) {
      expect(await errorOf(documents.get('log', '1'))).toBeInstanceOf(EngineUnavailable);
      expect(await errorOf(commitOf('6'))).toBeInstanceOf(EngineUnavailable);
    }

    proxy.restore();
    await until(() => documents.get('log', '1'));
    expect(await until(() => positionOf(documents))).toBe(LAST);
    await until(() => commitOf('6').then(() => true));
    expect(await until(() => documents.get('log', '6'))).toEqual({ _id: '6' });
  });
});

test('a read of many pages has the time limit of one read', async () => {
  proxy.stallOn(data => data.includes('find'));
  const ids = Array.from({ length: 3_001 }, (_, n) => `${n}`);
  const error = await errorOf(documents.getMany('log', ids));
  expect((error as Error).message).toMatch(/did not answer within 4500 ms/);
});

/** A server that answers, and whose disk does not. */
test.each([
  ['a commit', 'startTransaction', () => commitOf('5')],
  [
    'a checkpoint alone',
    '_checkpoints',
    () => documents.commit({ writes: [], checkpoint: { name: 'other', value: { position: 1 } } }),
  ],
  ['declaring what is declared', '_catalog', () => documents.declare(SPECS)],
])('%s that others may wait for has the time limit of a read', async (_, command, call) => {
  proxy.stallOn(data => data.includes(command));
  const error = await errorOf(call());
  expect(error).toBeInstanceOf(EngineUnavailable);
  expect((error as Error).message).toMatch(/did not answer within 4500 ms/);
});

const moveCheckpoint = (position: number): Promise<void> =>
  documents.commit({ writes: [], checkpoint: { name: 'other', value: { position } } });

/** A server that answers pings, and whose disk does not answer some commands. */
describe.each([
  ['reads', 'find', () => documents.get('log', '1'), () => moveCheckpoint(2)],
  ['commits', 'update', () => moveCheckpoint(1), () => documents.get('log', '1')],
])('of a disk that answers no %s', (_, command, hanging, answered) => {
  test('they fail at once after a time limit has ended one, others are answered, until it answers', async () => {
    proxy.stallOn(data => data.includes(command));
    expect(await errorOf(hanging())).toBeInstanceOf(EngineUnavailable);
    // Each would wait for seconds, longer than the limit of this test.
    for (let n = 0; n < 500; n++) expect(await errorOf(hanging())).toBeInstanceOf(EngineUnavailable);
    await until(() => answered().then(() => true));

    proxy.restore();
    await until(() => hanging().then(() => true));
  });
});

/** More than can run at a time. */
const MANY = Array.from({ length: 25 }, (_, n) => `hung-${n}`);

test('commits go on beside any number of hung ones, and one that is given up changes nothing', async () => {
  const next = (by: string): Commit => ({
    writes: [{ collection: 'log', id: 'next', document: { _id: 'next', by } }],
    checkpoint: { name: 'script', value: { position: LAST + 1 }, expect: { position: LAST } },
  });
  proxy.stallOn(data => !isGreeting(data));
  const hung = await Promise.all([documents.commit(next('hung')), ...MANY.map(commitOf)].map(errorOf));
  for (const error of hung) expect(error).toBeInstanceOf(EngineUnavailable);

  // New connections work; those of the hung commits do not yet.
  proxy.stallOn(() => false);
  await until(() => documents.commit(next('later')).then(() => true));
  proxy.restore();
  await Promise.all(MANY.map(id => until(() => commitOf(`after-${id}`).then(() => true))));
  expect(await until(() => documents.get('log', 'next'))).toEqual({ _id: 'next', by: 'later' });
  expect(await until(() => positionOf(documents))).toBe(LAST + 1);
  const all = await until(() => documents.find('log', { limit: 100 }));
  const ids = all.documents.map(({ _id }) => _id);
  expect(ids.filter(id => id.startsWith('hung'))).toEqual([]);
});

test('a commit of few documents does not wait for any number of large ones', async () => {
  await documents.declare([{ name: 'large', indexes: [] }]);
  const large = MANY.map(prefix => ({
    writes: Array.from({ length: 101 }, (_, n) => {
      const id = `${prefix}/${n}`;
      return { collection: 'large', id, document: { _id: id } };
    }),
  }));
  const isLarge = (data: Buffer): boolean => ['startTransaction', 'large'].every(part => data.includes(part));
  proxy.stallOn(isLarge);
  let done = 0;
  const committing = large.map(commit => documents.commit(commit).finally(() => done++));
  await commitOf('5');
  expect(done).toBe(0);
  proxy.restore();
  await Promise.all(committing);
  expect((await documents.find('large', { limit: 10_000 })).documents).toHaveLength(101 * MANY.length);
});

test('commits that the server does not answer keep no read from being answered, however few connections the URL allows', async () => {
  await documents.close();
  const url = `mongodb://${proxy.host}:${proxy.port}/?directConnection=true&maxPoolSize=5`;
  documents = await until(() => openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() }));
  proxy.stallOn(data => data.includes('startTransaction'));
  const hung = Promise.all(MANY.map(id => errorOf(commitOf(id))));
  for (const error of await hung) expect((error as Error).message).toMatch(/did not answer within 4500 ms/);
  expect(await documents.get('log', '1')).toEqual({ _id: '1' });
});

test('a server that answers greetings alone is reported at the start', async () => {
  proxy.stallOn(data => !isGreeting(data));
  const url = `mongodb://${proxy.host}:${proxy.port}/?directConnection=true`;
  const opening = openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() });
  await expect(opening).rejects.toThrow('MONGODB_URL: no writable server answered in time');
});

test('the client of a hanging server can be closed', async () => {
  proxy.stallOn(data => !isGreeting(data));
  await errorOf(commitOf('5'));
  await documents.close();
});
