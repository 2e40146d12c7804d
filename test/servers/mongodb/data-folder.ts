import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { Documents } from '../../../contracts/ports/documents';
import { openMongoDocuments } from '../../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../../infra/engines/wake-ups/local';
import { type DataFolder, dataFolder } from '../../projections/program';
import { until } from '../../until';

const url = process.env['MONGODB_URL']!;

/** The maximum number of programs in a test. */
const CLIENTS = 6;

/** A data folder whose documents are in a MongoDB database of their own. */
export async function mongoFolder(): Promise<DataFolder> {
  const database = `tidemark-${randomUUID()}`;
  const wakeUps = createLocalWakeUps();
  const unused: Documents[] = [];
  // The program gives up after seconds; a busy machine may take longer.
  while (unused.length < CLIENTS)
    unused.push(await until(() => openMongoDocuments({ url, database, wakeUps })));
  const folder = dataFolder(() => unused.shift()!);
  return {
    ...folder,
    remove: async () => {
      await folder.remove();
      for (const client of unused) await client.close();
      const client = new MongoClient(url);
      await client.db(database).dropDatabase();
      await client.close();
    },
  };
}
