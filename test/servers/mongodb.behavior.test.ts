import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { platform, type } from 'node:os';
import { join } from 'node:path';
import { BSON, type ClientSession, Collection, type Document as StoredDocument, MongoClient } from 'mongodb';
import type { Documents, IndexSpec } from '../../contracts/ports/documents';
import { connect as connectTo } from '../../infra/engines/mongodb/connect';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { ERASURE_KEYS } from '../../services/personal-texts/key-documents';
import { openSubjectKeys } from '../../services/personal-texts/keys';
import { temporaryFolder } from '../temporary-folder';
import { standaloneMongodb } from './mongodb';

/** What the adapter relies on, on the server itself; and what an operator does with its tools. */

const url = process.env['MONGODB_URL']!;
const client = new MongoClient(url);
const databases: string[] = [];
const opened: Documents[] = [];

const newDatabase = (): string => {
  databases.push(`tidemark-${randomUUID()}`);
  return databases.at(-1)!;
};

const open = async (database: string): Promise<Documents> => {
  const documents = await openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() });
  opened.push(documents);
  return documents;
};

afterAll(async () => {
  for (const documents of opened) await documents.close();
  for (const database of databases) await client.db(database).dropDatabase();
  await client.close();
});

/** A busy machine may take longer than the program waits. */
const LIMITS = '&socketTimeoutMS=120000&connectTimeoutMS=120000';
const INCREMENTS = 40;
const CLIENTS = Array.from({ length: 8 }, (_, n) => n);

test('concurrent increments return different values', async () => {
  const counters = client.db(newDatabase()).collection<{ _id: string; value: number }>('counters');
  await counters.insertOne({ _id: 'a', value: 0 });
  const returned: number[] = [];
  const increment = async (): Promise<void> => {
    for (let n = 0; n < INCREMENTS; n++) {
      const after = await counters.findOneAndUpdate(
        { _id: 'a' },
        { $inc: { value: 1 } },
        { returnDocument: 'after' },
      );
      returned.push(after!.value);
    }
  };
  await Promise.all(CLIENTS.map(increment));
  const all = Array.from({ length: CLIENTS.length * INCREMENTS }, (_, n) => n + 1);
  expect(returned.sort((a, b) => a - b)).toEqual(all);
});

test('a document is read as one update left it, while others update it', async () => {
  const pairs = client.db(newDatabase()).collection<{ _id: string; one: number; other: number }>('pairs');
  await pairs.insertOne({ _id: 'a', one: 0, other: 0 });
  const read: number[][] = [];
  const increment = async (): Promise<void> => {
    for (let n = 0; n < INCREMENTS; n++) {
      await pairs.updateOne({ _id: 'a' }, { $inc: { one: 1, other: 1 } });
      for (const { one, other } of await pairs.find().toArray()) read.push([one, other]);
    }
  };
  await Promise.all(CLIENTS.map(increment));
  expect(read).toHaveLength(CLIENTS.length * INCREMENTS);
  expect(read.filter(([one, other]) => one !== other)).toEqual([]);
});

describe('a transaction', () => {
  const LOST = { _id: 'lost', one: 1, other: 1 };

  /** Documents of every kind of write, as they are before each test. */
  const newPairs = async (): Promise<Collection<Pair>> => {
    const pairs = client.db(newDatabase()).collection<Pair>('pairs');
    await pairs.createIndex({ other: 1 }, { unique: true });
    await pairs.insertMany([
      { _id: 'a', one: 0, other: 0 },
      { _id: 'b', one: 0, other: 10 },
    ]);
    return pairs;
  };
  type Pair = { _id: string; one: number; other: number };

  const write = async (pairs: Collection<Pair>, session: ClientSession): Promise<void> => {
    await pairs.updateOne({ _id: 'a' }, { $set: { other: 5 } }, { session });
    await pairs.insertOne({ _id: 'c', one: 0, other: 0 }, { session });
    await pairs.deleteOne({ _id: 'b' }, { session });
    await pairs.replaceOne({ _id: 'c' }, { one: 1, other: 10 }, { session });
  };

  const BEFORE = [
    { _id: 'a', one: 0, other: 0 },
    { _id: 'b', one: 0, other: 10 },
  ];
  const AFTER = [
    { _id: 'a', one: 0, other: 5 },
    { _id: 'c', one: 1, other: 10 },
  ];

  test('leaves nothing when it is aborted, and all of it when it is committed', async () => {
    const pairs = await newPairs();
    const session = client.startSession();
    session.startTransaction();
    await write(pairs, session);
    expect(await pairs.find({}, { session }).sort({ _id: 1 }).toArray()).toEqual(AFTER);
    await session.abortTransaction();
    expect(await pairs.find().sort({ _id: 1 }).toArray()).toEqual(BEFORE);
    expect(await pairs.find({ other: 10 }).toArray()).toEqual([BEFORE[1]]);
    await session.withTransaction(() => write(pairs, session));
    await session.endSession();
    expect(await pairs.find().sort({ _id: 1 }).toArray()).toEqual(AFTER);
    expect(await pairs.find({ other: { $in: [0, 5] } }).toArray()).toEqual([AFTER[0]]);
  });

  test('leaves nothing after an error, nor when its client is gone', async () => {
    const pairs = await newPairs();
    const session = client.startSession();
    session.startTransaction();
    await write(pairs, session);
    await expect(pairs.insertOne({ _id: 'd', one: 0, other: 5 }, { session })).rejects.toThrow(/E11000/);
    await expect(session.commitTransaction()).rejects.toThrow();
    await session.endSession();

    const lost = new MongoClient(url);
    const of = lost.startSession();
    of.startTransaction();
    await lost.db(pairs.dbName).collection<Pair>('pairs').insertOne(LOST, { session: of });
    // Without ending the session.
    await lost.close(true);
    expect(await pairs.find().sort({ _id: 1 }).toArray()).toEqual(BEFORE);
  });

  test('is seen completely or not at all, and one of two that write a document goes first', async () => {
    const pairs = await newPairs();
    const increment = async (): Promise<void> => {
      for (let n = 0; n < INCREMENTS / 4; n++)
        await client.withSession(session =>
          session.withTransaction(async () => {
            const found = await pairs.findOne({ _id: 'a' }, { session });
            const one = found!.one + 1;
            await pairs.updateOne({ _id: 'a' }, { $set: { one } }, { session });
            await pairs.updateOne({ _id: 'b' }, { $set: { one } }, { session });
          }),
        );
    };
    const read: number[][] = [];
    const reading = async (): Promise<void> => {
      for (let n = 0; n < INCREMENTS; n++)
        await client.withSession(session =>
          session.withTransaction(async () => {
            const found = await pairs.find({}, { session }).toArray();
            read.push(found.map(({ one }) => one));
          }),
        );
    };
    await Promise.all([...CLIENTS.slice(0, 4).map(increment), reading()]);
    expect(read.filter(([a, b]) => a !== b)).toEqual([]);
    expect(await pairs.findOne({ _id: 'b' })).toMatchObject({ one: INCREMENTS });
  });
});

describe('a server is refused at the start by the name of what it lacks', () => {
  test('a replica set', async () => {
    const server = await standaloneMongodb.start(join(temporaryFolder(), 'server'));
    try {
      const opening = openMongoDocuments({ url: server.url, wakeUps: createLocalWakeUps() });
      await expect(opening).rejects.toThrow(
        /^MONGODB_URL: the server is not a member of a replica set[^]*\n +mongod --replSet rs0[^]*\n +mongosh --eval 'rs.initiate\(\)'/,
      );
    } finally {
      await server.stop();
    }
  });

  test('a replica set, to a client that names one', async () => {
    const server = await standaloneMongodb.start(join(temporaryFolder(), 'server'));
    try {
      const { host } = new URL(server.url);
      const opening = openMongoDocuments({
        url: `mongodb://${host}/?replicaSet=rs0`,
        wakeUps: createLocalWakeUps(),
      });
      await expect(opening).rejects.toThrow(/^MONGODB_URL: the server is not a member of a replica set/);
    } finally {
      await server.stop();
    }
  });

  // Each looks for a server for seconds.
  test.concurrent.each([
    ['replicaSet=other', () => 'the replica set is "rs0", not "other" as the URL says'],
    ['replicaSet=other&directConnection=true', () => 'the replica set is "rs0", not "other" as the URL says'],
    ['tls=true', (host: string) => `the server at ${host} has no TLS, for which the URL asks`],
  ])('what the URL asks for with %s', async (query, message) => {
    const { host } = new URL(url.split(',')[0]!);
    const opening = openMongoDocuments({
      url: `mongodb://user:s3cret@${host}/?${query}`,
      wakeUps: createLocalWakeUps(),
    });
    await expect(opening).rejects.toThrow(new Error(`MONGODB_URL: ${message(host)}`));
  });

  test.each([
    ['endSession-less transactions', 'keeps what an aborted transaction has written', { session: undefined }],
    ['ordered bulks only', 'does not say which write of a bulk it refused', { ordered: true }],
  ])('%s', async (_, message, replaced) => {
    const name = 'session' in replaced ? 'insertOne' : 'bulkWrite';
    const methods = Collection.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
    const original = methods[name]!;
    const spy = jest.spyOn(methods, name).mockImplementation(function (
      this: unknown,
      written: unknown,
      options: unknown,
    ) {
      const order = name === 'bulkWrite' ? [...(written as unknown[])].reverse() : written;
      return original.call(this, order, { ...(options as object), ...replaced });
    });
    try {
      await expect(open(newDatabase())).rejects.toThrow(`MONGODB_URL: the server ${message}`);
    } finally {
      spy.mockRestore();
    }
  });
});

test.each([
  ['', 3_000],
  ['connectTimeoutMS=4321', 4_321],
])('heartbeats have the limit of the URL, %j', async (query, timeoutMs) => {
  const { host } = new URL(url.split(',')[0]!);
  const limit = await connectTo(`mongodb://${host}/?directConnection=true&${query}`, async connected => {
    await connected.close();
    return connected.options.connectTimeoutMS;
  });
  expect(limit).toBe(timeoutMs);
});

test.each(['secondaryPreferred', 'nearest'])(
  'all but pages is read from the primary, also where the URL prefers %s',
  async preference => {
    const { port, commands, close } = await listenIn();
    const documents = await openMongoDocuments({
      url: `mongodb://127.0.0.1:${port}/?directConnection=true${LIMITS}&readPreference=${preference}`,
      database: newDatabase(),
      wakeUps: createLocalWakeUps(),
      reads: 'secondaryPreferred',
    });
    await documents.declare([{ name: 'things', indexes: [], counts: [[]] }]);
    await documents.commit({
      writes: [{ collection: 'things', id: 'a', document: { _id: 'a' } }],
      checkpoint: { name: 'c', value: { position: 1 } },
    });
    expect(await documents.checkpoint('c')).toEqual({ position: 1 });
    expect(await documents.get('things', 'a')).toEqual({ _id: 'a' });
    expect(await documents.count('things')).toBe(1);
    expect((await documents.find('things', { limit: 1 })).documents).toHaveLength(1);
    await documents.close();
    close();
    const reads = commands.filter(({ find }) => find !== undefined);
    const preferring = reads.filter(command => /secondary|nearest/.test(command['$readPreference']?.mode));
    expect(preferring.map(({ find }) => find as string)).toEqual(['things']);
  },
);

test('many clients open an empty database at once, and leave nothing', async () => {
  const database = newDatabase();
  const clients = await Promise.all(CLIENTS.map(() => open(database)));
  await Promise.all(
    clients.map(documents =>
      documents.commit({ writes: [], checkpoint: { name: randomUUID(), value: { position: 1 } } }),
    ),
  );
  const db = client.db(database);
  const names = (await db.listCollections().toArray()).map(({ name }) => name as string);
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, await db.collection(name).countDocuments());
  expect([...counts].filter(([, count]) => count > 0)).toEqual([['_checkpoints', CLIENTS.length]]);
});

const OP_QUERY = 2004;
const OP_MSG = 2013;

/** Where the command begins: after header, flags and kind; in the first message, after header, flags, a name and two numbers. */
function commandAt(message: Buffer): number | null {
  const code = message.readInt32LE(12);
  if (code === OP_MSG) return 21;
  return code === OP_QUERY ? message.indexOf(0, 20) + 1 + 8 : null;
}

/** Relays to the server, and reads the commands that a client sends it. */
async function listenIn(): Promise<{ port: number; commands: StoredDocument[]; close(): void }> {
  const commands: StoredDocument[] = [];
  const { hostname, port } = new URL(url);
  const relay = createServer(socket => {
    const server = connect(Number(port), hostname);
    let received = Buffer.alloc(0);
    socket.on('data', data => {
      server.write(data);
      received = Buffer.concat([received, data]);
      while (received.length >= 16 && received.length >= received.readInt32LE(0)) {
        const message = received.subarray(0, received.readInt32LE(0));
        received = received.subarray(message.length);
        const at = commandAt(message);
        if (at === null) continue;
        const command = message.subarray(at, at + message.readInt32LE(at));
        commands.push(BSON.deserialize(command));
      }
    });
    server.pipe(socket);
    for (const end of [socket, server])
      end
        .on('error', () => undefined)
        .on('close', () => {
          socket.destroy();
          server.destroy();
        });
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  return { port: (relay.address() as AddressInfo).port, commands, close: () => void relay.close() };
}

const WRITES = [
  'commitTransaction',
  'insert',
  'update',
  'delete',
  'findAndModify',
  'create',
  'createIndexes',
  'drop',
];

describe.each(['', '&w=1', '&journal=false', '&w=1&j=false'])('with %j in the URL', options => {
  test('every write is acknowledged by a majority, from its journal; the client introduces itself', async () => {
    const { port, commands, close } = await listenIn();
    const documents = await openMongoDocuments({
      url: `mongodb://127.0.0.1:${port}/?directConnection=true${LIMITS}${options}`,
      database: newDatabase(),
      wakeUps: createLocalWakeUps(),
    });
    await documents.declare([{ name: 'things', indexes: [{ fields: [['size', 'asc']] }], counts: [[]] }]);
    const write = (document: { _id: string; size: number } | null): Promise<void> =>
      documents.commit({ writes: [{ collection: 'things', id: 'a', document }] });
    await write({ _id: 'a', size: 1 });
    await write({ _id: 'a', size: 2 });
    await write(null);
    const checkpoint = { name: 'c', value: { position: 1 } };
    await documents.commit({ writes: [], checkpoint });
    await documents.drop('things');
    await documents.close();
    close();

    // Of a transaction only its end is acknowledged.
    const isAlone = (command: StoredDocument): boolean =>
      'commitTransaction' in command || command['autocommit'] !== false;
    const writes = commands.filter(command => WRITES.some(name => name in command) && isAlone(command));
    expect(writes.length).toBeGreaterThan(10);
    expect(
      writes.filter(({ writeConcern }) => writeConcern?.w !== 'majority' || writeConcern.j !== true),
    ).toEqual([]);
    // Without them an index is built until every member has it, for ever if one is gone.
    const builds = commands.filter(({ createIndexes }) => createIndexes === 'things');
    expect(builds.length).toBeGreaterThan(0);
    for (const build of builds)
      expect(build).toMatchObject({ commitQuorum: 'majority', maxTimeMS: expect.any(Number) });
    const greeted = commands.filter(({ client }) => client !== undefined);
    expect(greeted.length).toBeGreaterThan(0);
    // A real server refuses a client that does not say on what it runs.
    for (const { client: of } of greeted)
      expect(of).toMatchObject({ driver: { name: 'nodejs' }, os: { type: type(), name: platform() } });
  });
});

test('documents are counted after the transactions that may not have seen that they are to be', async () => {
  const { port, commands, close } = await listenIn();
  const documents = await openMongoDocuments({
    url: `mongodb://127.0.0.1:${port}/?directConnection=true${LIMITS}`,
    database: newDatabase(),
    wakeUps: createLocalWakeUps(),
  });
  await documents.declare([{ name: 'things', indexes: [] }]);
  const before = commands.length;
  await documents.declare([{ name: 'things', indexes: [], counts: [[]] }]);
  await documents.close();
  close();
  const STEPS = ['findAndModify', 'createIndexes', 'dropIndexes', 'aggregate'];
  const sent = commands.slice(before).map(command => Object.keys(command)[0]!);
  // The fields, the claim, a change of indexes that waits for open transactions and ends older ones, the count, and its entry.
  expect(sent.filter(name => STEPS.includes(name))).toEqual([
    'findAndModify',
    'findAndModify',
    'createIndexes',
    'dropIndexes',
    'aggregate',
    'findAndModify',
  ]);
});

test('documents are found by their own fields, in the indexes that are declared', async () => {
  const database = newDatabase();
  const documents = await open(database);
  const indexes: IndexSpec[] = [
    { fields: [['address.city', 'desc']] },
    { fields: [['email', 'asc']], unique: true },
  ];
  await documents.declare([{ name: 'people', indexes }]);
  const alice = { _id: 'alice', email: 'a@x', address: { city: 'Bern' }, paid: '0.10' };
  await documents.commit({ writes: [{ collection: 'people', id: 'alice', document: alice }] });
  const people = client.db(database).collection<StoredDocument>('people');
  expect(await people.findOne({ 'address.city': 'Bern' })).toEqual(alice);
  const built = (await people.indexes()).map(({ key, unique = false }) => [key, unique]);
  expect(built).toEqual(
    expect.arrayContaining([
      [{ 'address.city': -1, _id: -1 }, false],
      [{ email: 1 }, true],
    ]),
  );
});

test('keys of personal texts that were restored alone can be used, and destroyed', async () => {
  const masterKey = randomBytes(32);
  const source = newDatabase();
  const before = await openSubjectKeys(await open(source), masterKey);
  const others = Array.from({ length: 200 }, (_, n) => `other-${n}`);
  // One after the other: more calls at a time than the driver has connections wait for one, and that has a limit.
  for (const subject of [...others, 'alice', 'bob', 'carol']) await before.ofSubject(subject);
  await before.destroy('carol');
  const keyOf = async (keys: typeof before, subject: string) =>
    (await keys.ofSubjects([subject])).get(subject)?.key.toString('hex');

  // As `mongodump` and `mongorestore` of this collection do.
  const target = newDatabase();
  const dumped = await client.db(source).collection<StoredDocument>(ERASURE_KEYS.name).find().toArray();
  await client.db(target).collection<StoredDocument>(ERASURE_KEYS.name).insertMany(dumped);

  const after = await openSubjectKeys(await open(target), masterKey);
  for (const subject of ['alice', 'bob'])
    expect(await keyOf(after, subject)).toBe(await keyOf(before, subject));
  expect(await keyOf(after, 'carol')).toBeUndefined();
  expect(await after.destroy('alice')).toBe(1);
  expect(await keyOf(after, 'alice')).toBeUndefined();
  const made = await after.ofSubject('carol');
  expect(await keyOf(after, 'carol')).toBe(made.key.toString('hex'));
});

test('a document that is larger than MongoDB stores is refused by its name, before it is sent', async () => {
  const { port, commands, close } = await listenIn();
  const documents = await openMongoDocuments({
    url: `mongodb://127.0.0.1:${port}/?directConnection=true${LIMITS}`,
    database: newDatabase(),
    wakeUps: createLocalWakeUps(),
  });
  await documents.declare(['small', 'large'].map(name => ({ name, indexes: [] })));
  const before = commands.length;
  const commit = documents.commit({
    writes: [
      { collection: 'small', id: 'a', document: { _id: 'a' } },
      { collection: 'large', id: 'fits', document: { _id: 'fits', text: 'x'.repeat(15 * 1_024 * 1_024) } },
      { collection: 'large', id: 'b/1', document: { _id: 'b/1', text: 'é'.repeat(8 * 1_024 * 1_024) } },
    ],
    checkpoint: { name: 'c', value: { position: 1 } },
  });
  await expect(commit).rejects.toThrow(
    new TypeError('large: document b/1 has 16777245 bytes, more than MongoDB stores in one'),
  );
  await documents.close();
  close();
  const updated = commands.slice(before).flatMap(({ update }) => (update === undefined ? [] : [update]));
  expect(updated.sort()).toEqual(['_checkpoints', 'small']);
});
