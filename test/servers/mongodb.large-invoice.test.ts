import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { describeLargeInvoice } from '../billing/large-invoice';
import { eventstoredb } from './eventstoredb';
import type { RunningServer } from './server';

const url = process.env['MONGODB_URL']!;
const database = `tidemark-${randomUUID()}`;

let folder: string;
let server: RunningServer | undefined;
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
  const client = new MongoClient(url);
  await client.db(database).dropDatabase();
  await client.close();
});

// A dedicated event store, since all events of a store are in the ledger.
describeLargeInvoice('EventStoreDB and MongoDB', async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidemark-large-invoice-server-'));
  server = await eventstoredb.start(join(folder, 'eventstoredb'));
  return {
    store: await openEventStoreDb({ url: server.url }),
    documents: await openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() }),
  };
});
