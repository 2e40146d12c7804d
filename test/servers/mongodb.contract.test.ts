import { MongoClient } from 'mongodb';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { describeDocuments } from '../contracts/documents';

const url = process.env['MONGODB_URL']!;
const databases = new Set<string>();
const wakeUps = createLocalWakeUps();

afterAll(async () => {
  const client = new MongoClient(url);
  for (const database of databases) await client.db(database).dropDatabase();
  await client.close();
});

describeDocuments(
  'MongoDB',
  place => {
    const database = `tidemark-${place}`;
    databases.add(database);
    return openMongoDocuments({ url, database, wakeUps });
  },
  // mongo-java-server orders strings by UTF-16 units, MongoDB by UTF-8 bytes: these differ beyond the basic plane.
  { strings: 'basic plane' },
);
