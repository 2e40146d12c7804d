import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { describeLedgerTree } from '../ledger-tree/suite';

const url = process.env['MONGODB_URL']!;

describeLedgerTree('MongoDB', () => {
  const databases: string[] = [];
  return {
    open: async () => {
      const database = `tidemark-${randomUUID()}`;
      databases.push(database);
      return openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() });
    },
    remove: async () => {
      const client = new MongoClient(url);
      for (const database of databases) await client.db(database).dropDatabase();
      await client.close();
    },
  };
});
