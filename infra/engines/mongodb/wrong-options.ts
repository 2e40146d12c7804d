import { MongoClient } from 'mongodb';
import { speaksTls } from '../speaks-tls';

const TIMEOUT_MS = 3_000;

/** Transactions need a replica set: one of a single member is enough. */
export const STANDALONE = `the server is not a member of a replica set, and so has no transactions. Make it one of a single member:
  mongod --replSet rs0 ...                (or "replication: { replSetName: rs0 }" in mongod.conf, and start it again)
  mongosh --eval 'rs.initiate()'          (once)`;

/** How the replica set of the server that has answered last differs from that of the URL. The driver passes over such servers. */
export function watchReplicaSet(client: MongoClient): () => string | null {
  const { replicaSet } = client.options;
  let answered: string | undefined = replicaSet;
  client.on('serverHeartbeatSucceeded', ({ reply }) => (answered = reply['setName'] as string | undefined));
  return () => {
    if (!replicaSet || answered === replicaSet) return null;
    return answered ? `the replica set is "${answered}", not "${replicaSet}" as the URL says` : STANDALONE;
  };
}

type Address = MongoClient['options']['hosts'][number];

async function answersWithoutTls(server: Address): Promise<boolean> {
  const limits = { serverSelectionTimeoutMS: TIMEOUT_MS, connectTimeoutMS: TIMEOUT_MS };
  const client = new MongoClient(`mongodb://${server}/`, { directConnection: true, ...limits });
  const answers = await client.connect().then(
    () => true,
    () => false,
  );
  await client.close();
  return answers;
}

/** Which server wants TLS where the URL does not, or has none where it does. */
export async function wrongTls({ hosts, tls }: MongoClient['options']): Promise<string | null> {
  const wrong = hosts.map(async server => {
    const { host = '', port = 0 } = server;
    const [secure, plain] = await Promise.all([speaksTls({ host, port }), answersWithoutTls(server)]);
    if (tls && plain && !secure) return `the server at ${server} has no TLS, for which the URL asks`;
    return !tls && secure && !plain ? `the server at ${server} wants TLS: the URL needs tls=true` : null;
  });
  return (await Promise.all(wrong)).find(each => each !== null) ?? null;
}
