import { MongoClient } from 'mongodb';
import { speaksTls } from '../../speaks-tls';

const TIMEOUT_MS = 3_000;

/** Transactions need a replica set: one of a single member is enough. */
export const STANDALONE = `the server is not a member of a replica set, and so has no transactions. Make it one of a single member:
  mongod --replSet rs0 ...                (or "replication: { replSetName: rs0 }" in mongod.conf, and start it again)
  mongosh --eval 'rs.initiate()'          (once)`;

type Address = MongoClient['options']['hosts'][number];

/** The greeting of one server, without credentials and without what the URL says of a replica set. */
async function greetingOf(server: Address, tls: boolean): Promise<Record<string, unknown> | null> {
  const client = new MongoClient(`mongodb://${server}/`, {
    appName: 'tidemark',
    directConnection: true,
    ...(tls && { tls, tlsInsecure: true }),
    serverSelectionTimeoutMS: TIMEOUT_MS,
    connectTimeoutMS: TIMEOUT_MS,
    socketTimeoutMS: TIMEOUT_MS,
  });
  try {
    return await client.db('admin').command({ isMaster: 1 });
  } catch {
    return null;
  } finally {
    await client.close();
  }
}

/** What of the URL does not fit one of its servers, after no connection could be made; null when that is not why. */
export async function wrongOption({ options }: MongoClient): Promise<string | null> {
  const wrong = await Promise.all(options.hosts.map(server => wrongFor(server, options)));
  return wrong.find(each => each !== null) ?? null;
}

async function wrongFor(
  server: Address,
  { tls, replicaSet }: MongoClient['options'],
): Promise<string | null> {
  const greeting = await greetingOf(server, tls);
  if (!greeting && tls)
    return (await greetingOf(server, false)) && `the server at ${server} has no TLS, for which the URL asks`;
  if (!greeting) {
    const { host = '', port = 0 } = server;
    const wantsTls = await speaksTls({ host, port });
    return wantsTls ? `the server at ${server} wants TLS: the URL needs tls=true` : null;
  }
  const { setName } = greeting;
  if (!replicaSet || setName === replicaSet) return null;
  return typeof setName === 'string'
    ? `the replica set is "${setName}", not "${replicaSet}" as the URL says`
    : STANDALONE;
}
