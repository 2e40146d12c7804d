import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { asCaller } from '../../contracts/current-caller';
import type { Documents } from '../../contracts/ports/documents';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { storage } from '../../infra/program/features/storage';
import { startTestProgram } from '../program';
import { keysOf, readRequest, writeRequest } from '../storage/device';
import { until } from '../until';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy';

const server = new URL(process.env['MONGODB_URL']!.split(',')[0]!);
const database = `tidemark-${randomUUID()}`;

let proxy: FaultyProxy;
let url: string;
let documents: Documents;

beforeEach(async () => {
  proxy = await startFaultyProxy({ host: server.hostname, port: Number(server.port || 27_017) });
  // Reads that are not answered take longer than the test.
  url = `mongodb://${proxy.host}:${proxy.port}/${database}?directConnection=true&socketTimeoutMS=600000`;
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

test('a stranger whose reads the database does not answer keeps nobody else from being answered by the program', async () => {
  const settings = { MONGODB_URL: `${url}&maxPoolSize=20`, TRUSTED_PROXIES: '1' };
  const program = await startTestProgram({ features: [storage], settings });
  try {
    const at = await program.listen();
    const post = async (from: string, path: string, body: object): Promise<number> => {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from };
      return (await fetch(`${at}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    const honest = keysOf('honest');
    expect(await post('192.0.2.1', '/storage/write', writeRequest(honest, 0, Buffer.from('a')))).toBe(200);
    await program.projected();

    const reads = Array.from({ length: 40 }, (_, n) => readRequest(keysOf(`stranger ${n}`)));
    const keys = reads.map(({ key }) => Buffer.from(key, 'base64').toString('hex'));
    let [asked, answered] = [0, 0];
    proxy.stallOn(data => {
      const isAsked = keys.some(key => data.includes(key));
      if (isAsked) asked += 1;
      return isAsked;
    });
    const strangers = reads.map(async read => {
      await post('203.0.113.1', '/storage/read', read).catch(() => undefined);
      answered += 1;
    });
    await until(() => asked === 12);
    expect(await post('192.0.2.1', '/storage/read', readRequest(honest))).toBe(200);
    expect([asked, answered]).toEqual([12, 0]);

    proxy.restore();
    await Promise.all(strangers);
  } finally {
    await program.stop();
  }
});
