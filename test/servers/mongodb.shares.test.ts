import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { asCaller } from '../../contracts/current-caller';
import type { Documents } from '../../contracts/ports/documents';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { until } from '../until';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy';

const server = new URL(process.env['MONGODB_URL']!.split(',')[0]!);
const database = `tidemark-${randomUUID()}`;

let proxy: FaultyProxy;
let documents: Documents;

beforeEach(async () => {
  proxy = await startFaultyProxy({ host: server.hostname, port: Number(server.port || 27_017) });
  // Reads that are not answered take longer than the test.
  const url = `mongodb://${proxy.host}:${proxy.port}/?directConnection=true&socketTimeoutMS=600000`;
  documents = await until(() => openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() }));
  await documents.declare([{ name: 'notes', indexes: [] }]);
  await documents.commit({
    writes: [{ collection: 'notes', id: 'honest', document: { _id: 'honest', n: 1 } }],
  });
});

afterEach(async () => {
  await proxy.close();
  await documents.close();
  const client = new MongoClient(server.href);
  await client.db(database).dropDatabase();
  await client.close();
});

test('a caller with hundreds of slow reads keeps nobody else, and no part of the program, from reading', async () => {
  let ended = 0;
  proxy.stallOn(data => data.includes('stranger'));
  const strangers = Array.from({ length: 200 }, async (_, n) =>
    asCaller('stranger', () => documents.get('notes', `stranger-${n}`))
      .catch(() => undefined)
      .finally(() => (ended += 1)),
  );
  for (let n = 0; n < 30; n += 1) {
    expect(await asCaller('honest', () => documents.get('notes', 'honest'))).toMatchObject({ n: 1 });
    expect((await asCaller('honest', () => documents.find('notes', { limit: 1 }))).documents).toHaveLength(1);
    expect(await documents.get('notes', 'honest')).toMatchObject({ n: 1 });
  }
  expect(ended).toBe(0);

  proxy.restore();
  await Promise.all(strangers);
});
