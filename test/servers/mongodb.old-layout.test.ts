import { randomUUID } from 'node:crypto';
import { Collection, MongoClient } from 'mongodb';
import type { Documents } from '../../contracts/ports/documents';
import { openMongoDocumentsOfAnyLayout } from '../../infra/engines/documents/old-mongodb-layout';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { until } from '../until';

/** A database as versions left it whose commits were no transactions, with commits that nobody had completed. */

const url = process.env['MONGODB_URL']!;
let database: string;
const databases: string[] = [];
const client = new MongoClient(url);
const opened: Documents[] = [];

beforeEach(() => {
  database = `tidemark-${randomUUID()}`;
  databases.push(database);
});

afterEach(async () => {
  for (const documents of opened.splice(0)) await documents.close();
});

afterAll(async () => {
  for (const name of databases) await client.db(name).dropDatabase();
  await client.close();
});

const COMMIT = 1_000_000;
const LONG = 'x'.repeat(300);
const DOCUMENTS = 2_500;
const PEOPLE = {
  name: 'people',
  fields: ['city', 'address.email'],
  indexes: [{ fields: [['city', 'asc']] }, { fields: [['address.email', 'asc']], unique: true }],
  counts: [[], ['city']],
};

const person = (n: number, city = 'old', extra: object = {}) => ({
  _id: `person ${n}`,
  city,
  address: { email: `${n}@x` },
  ...extra,
});

const keysOf = ({ city, address: { email } }: ReturnType<typeof person>) => ({
  city,
  'address:email': email,
});

const old = (document: ReturnType<typeof person>, commit: number, body = JSON.stringify(document)) => ({
  _id: document._id,
  commit,
  body,
  keys: keysOf(document),
});

const operation = (document: ReturnType<typeof person>) => ({
  collection: 'people',
  id: document._id,
  body: JSON.stringify(document),
  keys: keysOf(document),
});
const deletion = (n: number) => ({ collection: 'people', id: `person ${n}`, body: null, keys: {} });

async function fill(): Promise<void> {
  const db = client.db(database);
  const named = (name: string) => db.collection<{ _id: string | number }>(name);
  await named('_sequence').insertOne({ _id: 'commits', value: COMMIT + 10 } as never);
  await named('_catalog').insertOne({
    _id: 'people',
    revision: 4,
    collection: JSON.stringify(PEOPLE),
  } as never);
  const people = named('people');
  await people.createIndex({ 'keys.city': 1, _id: 1 });
  await people.createIndex({ 'keys.address:email': 1 }, { unique: true });
  const many = Array.from({ length: DOCUMENTS }, (_, n) => old(person(n), COMMIT));
  await people.insertMany(many as never[]);
  // A long text is a line of its own, and a deleted document leaves its number.
  const lined = old(person(0), COMMIT, `${JSON.stringify(person(0))}\nnote\n${LONG}`);
  await people.replaceOne({ _id: lined._id }, lined as never);
  await people.insertOne({
    _id: 'gone',
    commit: COMMIT,
    keys: { city: { deleted: 'gone' }, 'address:email': { deleted: 'gone' } },
  } as never);
  await named('_counters').insertOne({
    _id: 'wrong/',
    collection: 'people',
    fields: '[]',
    commit: 1,
    documents: 7,
  } as never);

  // Half of this commit was applied.
  await people.replaceOne({ _id: 'person 1' }, old(person(1, 'new'), COMMIT + 1) as never);
  await named('_commit_parts').insertOne({
    _id: `${COMMIT + 1}/1`,
    operations: [operation(person(2, 'new')), operation(person(DOCUMENTS, 'new'))],
  } as never);
  const intent = { parts: 1, counterChanges: [], ordered: ['people'] };
  await named('_checkpoints').insertMany([
    {
      _id: 'runner',
      revision: 8,
      value: '{"position":4}',
      intent: {
        ...intent,
        commit: COMMIT + 1,
        checkpoint: '{"position":5}',
        operations: [operation(person(1, 'new')), deletion(3)],
      },
    },
    { _id: 'log', revision: 2, value: '{"offsets":{"b.x/0":1,"a.x/1":2}}' },
  ] as never[]);
  // Another one has written a document since.
  await people.replaceOne({ _id: 'person 4' }, old(person(4, 'newest'), COMMIT + 3) as never);
  await named('_commits').insertMany([
    {
      _id: COMMIT + 2,
      intent: {
        ...intent,
        parts: 0,
        commit: COMMIT + 2,
        checkpoint: null,
        operations: [operation(person(4, 'new')), operation(person(5, 'new'))],
      },
    },
    { _id: COMMIT + 4 },
  ] as never[]);
}

test('is taken over whole, once, by the clients that open it at the same time', async () => {
  await fill();
  const logged: unknown[] = [];
  const logger = { info: (...line: unknown[]) => void logged.push(line.at(-1)) };
  // The program gives up after seconds; a busy machine may take longer.
  const open = () =>
    until(() => openMongoDocumentsOfAnyLayout({ url, database, wakeUps: createLocalWakeUps(), logger }));
  opened.push(...(await Promise.all([open(), open(), open()])));
  const [documents, other] = opened as [Documents, Documents];
  expect(logged[0]).toBe('documents of an older version are taken over');
  expect(logged.filter(line => line === 'documents of an older version have been taken over')).toHaveLength(
    1,
  );

  expect(await documents.get('people', 'person 0')).toEqual(person(0, 'old', { note: LONG }));
  expect(await documents.getMany('people', ['person 1', 'person 2', 'person 3', 'gone'])).toEqual(
    new Map([1, 2].map(n => [`person ${n}`, person(n, 'new')])),
  );
  const found = await other.find('people', { filter: { city: 'new' }, limit: 10 });
  expect(found.documents).toEqual([1, 2, DOCUMENTS, 5].map(n => person(n, 'new')));
  expect(await documents.get('people', 'person 4')).toEqual(person(4, 'newest'));
  expect(await documents.count('people')).toBe(DOCUMENTS);
  expect(await documents.count('people', { city: 'new' })).toBe(4);
  expect(await documents.checkpoint('runner')).toEqual({ position: 5 });

  const log = { offsets: { 'a.x/1': 2, 'b.x/0': 1 } };
  const moved = { name: 'log', value: { offsets: { 'a.x/1': 3, 'b.x/0': 1 } }, expect: log };
  const twice = { collection: 'people', id: 'twice', document: { ...person(7), _id: 'twice' } };
  await expect(documents.commit({ writes: [twice], checkpoint: moved })).rejects.toThrow(/E11000/);
  await documents.commit({
    writes: [{ collection: 'people', id: 'person 7', document: null }, twice],
    checkpoint: moved,
  });
  expect(await other.count('people', { city: 'old' })).toBe(DOCUMENTS - 5);
  expect(await other.checkpoint('log')).toEqual(moved.value);

  const stored = client.db(database).collection<{ _id: string }>('people');
  expect(await stored.findOne({ 'address.email': '9@x' })).toEqual(person(9));
  expect(await stored.countDocuments({ commit: { $exists: true } })).toBe(0);
  expect(await client.db(database).collection('_sequence').countDocuments()).toBe(0);
});

test('is not begun by another client while the first one builds an index for long', async () => {
  await fill();
  const sequence = client.db(database).collection<{ _id: string; until: number }>('_sequence');
  const claimedUntil = async (): Promise<number> => (await sequence.findOne())!.until;
  let hasWaited = false;
  const { createIndex } = Collection.prototype;
  const building = jest.spyOn(Collection.prototype, 'createIndex').mockImplementation(async function (
    this: Collection,
    ...args
  ) {
    if (this.collectionName === 'people' && !hasWaited) {
      hasWaited = true;
      const before = await claimedUntil();
      await until(async () => (await claimedUntil()) > before);
    }
    return createIndex.apply(this, args);
  });
  try {
    const logger = { info: () => undefined };
    opened.push(
      await openMongoDocumentsOfAnyLayout({ url, database, wakeUps: createLocalWakeUps(), logger }),
    );
    expect(await opened[0]!.get('people', 'person 9')).toEqual(person(9));
    expect(await opened[0]!.count('people')).toBe(DOCUMENTS);
    expect(hasWaited).toBe(true);
  } finally {
    building.mockRestore();
  }
});
