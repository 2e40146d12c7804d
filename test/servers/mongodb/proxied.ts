import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { Documents } from '../../../contracts/ports/documents';
import { openMongoDocuments } from '../../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../../infra/engines/wake-ups/local';
import { until } from '../../until';
import { type FaultyProxy, startFaultyProxy } from '../faulty-proxy';
import { play } from './script';

const server = new URL(process.env['MONGODB_URL']!.split(',')[0]!);

/** A database of its own behind a proxy of its own, with what the script has left. */
export interface Proxied {
  readonly proxy: FaultyProxy;
  readonly documents: Documents;
  /** @param options of the URL, each after a `&` */
  open(options?: string): Promise<Documents>;
  close(): Promise<void>;
}

/** All that a monitor of the driver sends, and every connection at first. */
export function isGreeting(data: Buffer): boolean {
  return /hello|ismaster/i.test(data.toString('latin1'));
}

export async function openProxied(): Promise<Proxied> {
  const database = `tidemark-${randomUUID()}`;
  const proxy = await startFaultyProxy({ host: server.hostname, port: Number(server.port || 27_017) });
  const open = (options = ''): Promise<Documents> => {
    const url = `mongodb://${proxy.host}:${proxy.port}/?directConnection=true${options}`;
    return openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() });
  };
  // With the time limits of the program, which a busy machine may miss.
  const documents = await until(() => open());
  await until(() => play(documents).then(() => true));
  return {
    proxy,
    documents,
    open,
    async close() {
      await documents.close();
      await proxy.close();
      const client = new MongoClient(server.href);
      await client.db(database).dropDatabase();
      await client.close();
    },
  };
}

export function commitLog(documents: Documents, id: string): Promise<void> {
  return documents.commit({ writes: [{ collection: 'log', id, document: { _id: id } }] });
}

export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}
