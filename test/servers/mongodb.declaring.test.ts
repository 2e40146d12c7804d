import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Collection, MongoClient } from 'mongodb';
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

test('counts are right whatever is committed, and declared by others, while they are made', async () => {
  const [documents, other, third] = [await open(), await open(), await open()];

  /** @returns whether there is an nth write */
  const pausedAt = async (nth: number): Promise<boolean> => {
    const name = `accounts@${nth}`;
    const spec = { name, indexes: [], counts: [[], ['city']] };
    let added = 0;
    const add = (): Promise<void> => {
      const id = `${(added += 1)}`;
      return other.commit({ writes: [{ collection: name, id, document: { _id: id, city: 'a' } }] });
    };
    await documents.declare([{ name, indexes: [] }]);
    await add();
    let others: Promise<unknown>[] = [];
    const { isReached, restore } = pauseAt(nth, () => {
      others = [add(), third.declare([spec]).then(add)];
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
});
