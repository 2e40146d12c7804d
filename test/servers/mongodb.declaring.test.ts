import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientSession, Collection, MongoClient } from 'mongodb';
import type { Documents } from '../../contracts/ports/documents';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { until } from '../until';

const url = process.env['MONGODB_URL']!;
const database = `tidemark-${randomUUID()}`;
const opened: Documents[] = [];

const open = async (): Promise<Documents> => {
  // The program gives up after seconds; a busy machine may take longer.
  opened.push(await until(() => openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() })));
  return opened.at(-1)!;
};

afterAll(async () => {
  for (const documents of opened) await documents.close();
  const client = new MongoClient(url);
  await client.db(database).dropDatabase();
  await client.close();
});

/** What others do meanwhile may have to wait for the one that pauses. */
const PAUSE_MS = 300;

type Method = (this: Collection, ...args: unknown[]) => unknown;

/** Calls `beside` once, before the nth write to the catalog or the counters. */
function pauseAt(nth: number, beside: () => Promise<unknown>): { isReached(): boolean; restore(): void } {
  const methods = Collection.prototype as unknown as Record<string, Method>;
  let writes = 0;
  const spies = ['insertOne', 'findOneAndUpdate', 'updateOne', 'deleteMany', 'insertMany'].map(name => {
    const original = methods[name]!;
    return jest.spyOn(methods, name).mockImplementation(async function (this: Collection, ...args) {
      const isOfCounting = ['_catalog', '_counters'].includes(this.collectionName);
      if (isOfCounting && (writes += 1) === nth) await Promise.race([beside(), sleep(PAUSE_MS)]);
      return original.apply(this, args);
    });
  });
  return { isReached: () => writes >= nth, restore: () => spies.forEach(spy => spy.mockRestore()) };
}

test.each([
  ['a collection that exists', false],
  ['a new collection', true],
])(
  'counts of %s are right whatever is committed, and declared by others, while they are made',
  async (_, isNew) => {
    const [documents, other, third] = [await open(), await open(), await open()];

    /** @returns whether there is an nth write */
    const pausedAt = async (nth: number): Promise<boolean> => {
      const name = `${isNew ? 'new' : 'accounts'}@${nth}`;
      const uncounted = { name, indexes: [] };
      const spec = { ...uncounted, counts: [[], ['city']] };
      let added = 0;
      const add = (): Promise<void> => {
        const id = `${(added += 1)}`;
        return other.commit({ writes: [{ collection: name, id, document: { _id: id, city: 'a' } }] });
      };
      if (!isNew) {
        await documents.declare([uncounted]);
        await add();
      }
      let others: Promise<unknown>[] = [];
      const { isReached, restore } = pauseAt(nth, () => {
        others = [other.declare([uncounted]).then(add)];
        if (!isNew) others.push(third.declare([spec]).then(add));
        return Promise.all(others);
      });
      try {
        await documents.declare([spec]);
        await Promise.all(others);
      } finally {
        restore();
      }
      await add();
      for (const client of [documents, other, third]) {
        const counts = [await client.count(name), await client.count(name, { city: 'a' })];
        expect({ nth, counts }).toEqual({ nth, counts: [added, added] });
      }
      return isReached();
    };

    for (let nth = 1; await pausedAt(nth);) nth += 1;
  },
);

test('what was restored without its entry in the catalog is counted', async () => {
  const [documents, other] = [await open(), await open()];
  const spec = { name: 'restored', indexes: [], counts: [[], ['city']] };
  await documents.declare([spec]);
  await documents.commit({
    writes: [{ collection: 'restored', id: 'a', document: { _id: 'a', city: 'b' } }],
  });
  const client = new MongoClient(url);
  for (const name of ['_catalog', '_counters']) await client.db(database).collection(name).deleteMany({});
  await client.close();
  await other.declare([spec]);
  expect([await other.count('restored'), await other.count('restored', { city: 'b' })]).toEqual([1, 1]);
});

interface Stop {
  readonly reached: Promise<void>;
  resume(): void;
}

/** Stops the next call of a method, or one after it, when it is reached, until it is resumed. */
function stopNext(prototype: object, method: string, skipped = 0): Stop {
  let [reach, resume] = [(): void => undefined, (): void => undefined];
  const reached = new Promise<void>(resolve => (reach = resolve));
  const resumed = new Promise<void>(resolve => (resume = resolve));
  const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
  const original = methods[method]!;
  const spy = jest.spyOn(methods, method);
  for (let n = 0; n < skipped; n += 1) spy.mockImplementationOnce(original);
  spy.mockImplementationOnce(async function (this: unknown, ...args) {
    reach();
    await resumed;
    return original.apply(this, args);
  });
  return {
    reached,
    resume: () => {
      resume();
      spy.mockRestore();
    },
  };
}

test.each([
  ['has read what is counted and written nothing', Collection.prototype, 'bulkWrite'],
  ['has written', ClientSession.prototype, 'commitTransaction'],
])(
  'of a commit in flight that %s when a count begins, its documents are counted once',
  async (_, prototype, method) => {
    const [documents, other] = [await open(), await open()];
    const name = `in-flight@${method}`;
    await documents.declare([{ name, indexes: [] }]);
    const commit = (id: string): Promise<void> =>
      other.commit({ writes: [{ collection: name, id, document: { _id: id, city: 'a' } }] });
    await commit('before');
    const { reached, resume } = stopNext(prototype, method);
    const committing = commit('in flight');
    await reached;
    const declaring = documents.declare([{ name, indexes: [], counts: [[], ['city']] }]);
    await Promise.race([declaring, sleep(PAUSE_MS)]);
    resume();
    await Promise.all([committing, declaring]);
    await commit('after');
    for (const client of [documents, other])
      expect([await client.count(name), await client.count(name, { city: 'a' })]).toEqual([3, 3]);
  },
);

/** More than a claim lasts. */
const LONG_MS = 120_000;

test.each([
  ['before it stores the first of its counts', 0],
  ['before it tells others that they are stored', 2],
])('a client that sleeps %s, for longer than its claim lasts, stores none of it', async (_, stored) => {
  const [documents, other, third] = [await open(), await open(), await open()];
  const name = `slept@${stored}`;
  const uncounted = { name, indexes: [] };
  const spec = { ...uncounted, counts: [[], ['city']] };
  const commit = (id: string, city: string): Promise<void> =>
    other.commit({ writes: [{ collection: name, id, document: { _id: id, city } }] });
  await documents.declare([uncounted]);
  await commit('a', 'old');
  const { reached, resume } = stopNext(MongoClient.prototype, 'withSession', stored);
  const declaring = documents.declare([spec]);
  await reached;
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + LONG_MS);
  try {
    await commit('a', 'new');
    // Another client may have counted meanwhile.
    if (stored === 0) await third.declare([spec]);
    await commit('b', 'new');
    resume();
    await declaring;
  } finally {
    now.mockRestore();
  }
  await commit('c', 'new');
  for (const client of [documents, other, third])
    expect([await client.count(name), await client.count(name, { city: 'new' })]).toEqual([3, 3]);
});
