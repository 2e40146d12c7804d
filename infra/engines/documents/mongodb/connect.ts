import {
  MongoClient,
  MongoCompatibilityError,
  MongoInvalidArgumentError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { CannotOpen } from '../../cannot-open';
import { isDiskFull } from './errors';

/** Milliseconds within which a server to talk to must be found, at the start and later. */
const FIND_SERVER = 3_000;

/**
 * Milliseconds between two looks of the client at each server. One that fails to answer in time ends what is under way
 * with that server; nothing else does, since to build an index may take long.
 */
const LOOK_EVERY = 5_000;

const REFUSED_CREDENTIALS = [18, 8000];
const NO_RIGHTS = [13, 8000];

const clientFor = (url: string): MongoClient => {
  try {
    return new MongoClient(url, {
      appName: 'tidemark',
      serverSelectionTimeoutMS: FIND_SERVER,
      connectTimeoutMS: FIND_SERVER,
      heartbeatFrequencyMS: LOOK_EVERY,
      waitQueueTimeoutMS: FIND_SERVER,
      writeConcern: { w: 'majority' },
    });
  } catch {
    // What the library says of a URL may quote it.
    throw new CannotOpen('MONGODB_URL', 'not a URL of MongoDB (mongodb://host:27017/database)');
  }
};

const network = (message: string): string => {
  if (/ENOTFOUND|EAI_AGAIN|querySrv/.test(message)) return 'the host is not known';
  if (/ECONNREFUSED/.test(message)) return 'nothing listens there';
  if (/certificate|SSL|TLS/i.test(message))
    return 'no secure connection could be made (certificate or TLS setting)';
  if (/wire version|requires at least/i.test(message)) return TOO_OLD;
  return 'no server that takes writes answered in time';
};

const TOO_OLD = 'the server is older than MongoDB 4.4';

const causeOf = (error: unknown): string => {
  if (error instanceof MongoCompatibilityError) return TOO_OLD;
  if (error instanceof MongoParseError || error instanceof MongoInvalidArgumentError)
    return 'not a URL of MongoDB, or one with options it does not know';
  const root =
    error instanceof MongoServerSelectionError ? (error.reason?.error ?? error.cause ?? error) : error;
  if (isDiskFull(root)) return 'its disk is full';
  if (root instanceof MongoServerError) {
    if (REFUSED_CREDENTIALS.includes(Number(root.code)) && !/not (authorized|allowed)/i.test(root.message))
      return 'the credentials were refused';
    if (NO_RIGHTS.includes(Number(root.code))) return 'the user may not read and write this database';
  }
  return network(`${String(error)} ${String(root)}`);
};

/**
 * Connects, and answers what `begin` makes of it, which reads and writes: only then is the connection known to be good.
 * @throws CannotOpen
 */
export async function connect<Begun>(
  url: string,
  begin: (client: MongoClient) => Promise<Begun>,
): Promise<Begun> {
  const client = clientFor(url);
  // An error event without a listener would end the process; each operation tells its own error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await begin(client);
  } catch (error) {
    await client.close().catch(() => undefined);
    throw new CannotOpen('MONGODB_URL', causeOf(error));
  }
}
