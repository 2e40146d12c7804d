import {
  MongoClient,
  type MongoClientOptions,
  MongoCompatibilityError,
  MongoInvalidArgumentError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { CannotOpen } from '../../../config/cannot-open';
import { OPEN_TIMEOUT_MS } from '../../open-timeout';
import { isDiskFull } from './errors';
import { wrongOption } from './wrong-options';

/** For server selection; repeated at the start. */
const SELECTION_TIMEOUT_MS = 3_000;

/** A heartbeat that fails ends the running operations, those too that nobody waits for any more; `connectTimeoutMS` is its limit. */
const HEARTBEAT_MS = 5_000;

const AUTHENTICATION_FAILED = [18, 8000];
const UNAUTHORIZED = [13, 8000];

/** A client that is not connected yet. @throws CannotOpen */
function clientFor(url: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url, {
      appName: 'tidemark',
      serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
      ...(!/[?&]connectTimeoutMS=/i.test(url) && { connectTimeoutMS: SELECTION_TIMEOUT_MS }),
      heartbeatFrequencyMS: HEARTBEAT_MS,
      waitQueueTimeoutMS: SELECTION_TIMEOUT_MS,
      ...options,
    });
  } catch {
    // The driver's message may quote the URL.
    throw new CannotOpen('MONGODB_URL', 'not a URL of MongoDB (mongodb://host:27017/database)');
  }
}

const networkReason = (message: string): string => {
  if (/ENOTFOUND|EAI_AGAIN|query(Srv|Txt)|No addresses found/.test(message)) return 'the host is not known';
  if (/ECONNREFUSED/.test(message))
    return `nothing listens at ${/ECONNREFUSED ([^\s,]+)/.exec(message)?.[1] ?? 'its address'}`;
  if (/certificate|SSL|TLS/i.test(message)) return NOT_SECURE;
  if (/wire version|requires at least/i.test(message)) return TOO_OLD;
  return NO_ANSWER;
};

const NOT_SECURE = 'no secure connection could be made (certificate or TLS setting)';

const NO_ANSWER = 'no writable server answered in time';

const TOO_OLD = 'the server is older than MongoDB 4.4';

const reasonOf = (error: unknown): string => {
  if (error instanceof MongoCompatibilityError) return TOO_OLD;
  if (error instanceof MongoParseError || error instanceof MongoInvalidArgumentError)
    return 'not a URL of MongoDB, or with unknown options';
  const root =
    error instanceof MongoServerSelectionError ? (error.reason?.error ?? error.cause ?? error) : error;
  if (isDiskFull(root)) return 'its disk is full';
  if (root instanceof MongoServerError) {
    if (AUTHENTICATION_FAILED.includes(Number(root.code)) && !/not (authorized|allowed)/i.test(root.message))
      return 'the credentials were refused';
    if (UNAUTHORIZED.includes(Number(root.code))) return 'the user may not read and write this database';
    // Not its message, which may quote a document.
    return `the server answered with error ${root.code} (${root.codeName ?? 'no name'})`;
  }
  return networkReason(`${String(error)} ${String(root)}`);
};

/** Looks for a server again while none has answered; any other error is final. */
async function waitForServer(client: MongoClient, timeoutMs: number): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; ;) {
    try {
      await client.connect();
      return;
    } catch (error) {
      const reason = reasonOf(error);
      const isOfOneHost = ![NO_ANSWER, NOT_SECURE].includes(reason) && client.options.hosts.length < 2;
      const wrong = isOfOneHost ? null : await wrongOption(client);
      if (wrong) throw new CannotOpen('MONGODB_URL', wrong);
      if (reason !== NO_ANSWER || Date.now() > deadline) throw error;
    }
  }
}

/**
 * Connects and calls `initialize`, whose reads and writes show that the connection works.
 * @throws CannotOpen
 */
export async function connect<Initialized>(
  url: string,
  initialize: (client: MongoClient) => Promise<Initialized>,
  { timeoutMs = OPEN_TIMEOUT_MS, ...options }: MongoClientOptions & { readonly timeoutMs?: number } = {},
): Promise<Initialized> {
  const client = clientFor(url, options);
  // Without a listener the event would end the process; each operation reports its own error.
  client.on('error', () => undefined);
  try {
    await waitForServer(client, timeoutMs);
    return await initialize(client);
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error instanceof CannotOpen ? error : new CannotOpen('MONGODB_URL', reasonOf(error));
  }
}
