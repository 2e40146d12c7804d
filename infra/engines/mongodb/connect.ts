import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Db,
  MongoClient,
  type MongoClientOptions,
  MongoInvalidArgumentError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { withTimeout } from '../../../contracts/retry/with-timeout';
import { CannotOpen } from '../../config/cannot-open';
import { OPEN_TIMEOUT_MS } from '../open-timeout';
import { MAJORITY } from './transaction';
import { watchReplicaSet, wrongTls } from './wrong-options';

/** For server selection; repeated at the start. */
const SELECTION_TIMEOUT_MS = 3_000;

/** A heartbeat that fails ends the running operations, those too that nobody waits for any more; `connectTimeoutMS` is its limit. */
const HEARTBEAT_MS = 5_000;

const PAUSE_MS = 100;
const CLOSE_TIMEOUT_MS = 5_000;

const NOT_A_URL = 'not a URL of MongoDB (mongodb://host:27017/database)';
const NO_ANSWER = 'no writable server answered in time';
const NOT_SECURE = 'no secure connection could be made (certificate or TLS setting)';

const AUTHENTICATION_FAILED = [18, 8000];
const UNAUTHORIZED = [13, 8000];
/** Of a server that is no primary any more, or not yet. */
const ELECTION = [91, 189, 10_107, 11_600, 11_602, 13_435, 13_436];

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
    throw new CannotOpen('MONGODB_URL', NOT_A_URL);
  }
}

/** @param name default: the one in the URL, else `tidemark` */
export function databaseOf(client: MongoClient, url: string, name?: string): Db {
  const [, inUrl = 'tidemark'] = /^[^/]+:\/\/[^/]+\/([^?]+)/.exec(url) ?? [];
  return client.db(name ?? inUrl, MAJORITY);
}

/** What went wrong on the way to a server. */
function networkReason(message: string): string {
  if (/ENOTFOUND|EAI_AGAIN|query(Srv|Txt)|No addresses found/.test(message)) return 'the host is not known';
  const [refused, address = 'its address'] = /ECONNREFUSED ?([^\s,]+)?/.exec(message) ?? [];
  if (refused !== undefined) return `nothing listens at ${address}`;
  if (/certificate|SSL|TLS/i.test(message)) return NOT_SECURE;
  return /wire version/i.test(message) ? 'the server is older than MongoDB 4.4' : NO_ANSWER;
}

/** Without the message of a server, which may quote a document. */
function reasonOf(error: unknown): string {
  const root = error instanceof MongoServerSelectionError ? rootOf(error) : error;
  if (root instanceof MongoParseError || root instanceof MongoInvalidArgumentError) return NOT_A_URL;
  if (!(root instanceof MongoServerError)) return networkReason(String(root));
  const { message, codeName = 'no name' } = root;
  const code = Number(root.code);
  if (ELECTION.includes(code)) return NO_ANSWER;
  if (AUTHENTICATION_FAILED.includes(code) && !/not (authorized|allowed)/i.test(message))
    return 'the credentials were refused';
  if (UNAUTHORIZED.includes(code)) return 'the user may not read and write this database';
  return `the server answered with error ${root.code} (${codeName})`;
}

/** Why no server was found: the error of one, unless another one has answered, and may be elected. */
function rootOf({ reason, cause }: MongoServerSelectionError): unknown {
  const servers = [...(reason?.servers.values() ?? [])];
  return servers.every(({ error }) => error) ? (reason?.error ?? cause) : null;
}

/** Its sessions are ended, too, which a server that hangs does not answer. */
export async function close(client: MongoClient): Promise<void> {
  const closing = client.close().catch(() => undefined);
  await withTimeout(CLOSE_TIMEOUT_MS, closing, () => undefined);
}

/**
 * Connects and calls `initialize`, whose reads and writes show that the connection works; again while no server has answered, as
 * in an election. Any other error is final.
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
  const wrongReplicaSet = watchReplicaSet(client);
  const refusalBy = async (error: unknown): Promise<string> => {
    const reason = reasonOf(error);
    const isUnclear = [NO_ANSWER, NOT_SECURE].includes(reason) || client.options.hosts.length > 1;
    const wrong = isUnclear ? (wrongReplicaSet() ?? (await wrongTls(client.options))) : null;
    return wrong ?? reason;
  };
  for (const deadline = Date.now() + timeoutMs; ; await sleep(PAUSE_MS)) {
    try {
      await client.connect();
      return await initialize(client);
    } catch (error) {
      const reason = error instanceof CannotOpen ? error : await refusalBy(error);
      if (reason === NO_ANSWER && Date.now() < deadline) continue;
      await close(client);
      throw typeof reason === 'string' ? new CannotOpen('MONGODB_URL', reason) : reason;
    }
  }
}
