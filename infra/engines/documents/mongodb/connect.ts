import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Db,
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
import { hasCode, OUT_OF_DISK_SPACE } from './errors';
import { limited } from '../limits/limited';
import { MAJORITY } from './transaction';
import { wrongOption } from './wrong-options';

/** For server selection; repeated at the start. */
const SELECTION_TIMEOUT_MS = 3_000;

/** A heartbeat that fails ends the running operations, those too that nobody waits for any more; `connectTimeoutMS` is its limit. */
const HEARTBEAT_MS = 5_000;

const AUTHENTICATION_FAILED = [18, 8000];
const UNAUTHORIZED = [13, 8000];
/** Of a server that is no primary any more, or not yet. */
const ELECTION = [91, 189, 10_107, 11_600, 11_602, 13_435, 13_436];

const PAUSE_MS = 100;
const CLOSE_TIMEOUT_MS = 5_000;

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

/** @param name default: the one in the URL, else `tidemark` */
export function databaseOf(client: MongoClient, url: string, name?: string): Db {
  const [, inUrl = 'tidemark'] = /^[^/]+:\/\/[^/]+\/([^?]+)/.exec(url) ?? [];
  return client.db(name ?? inUrl, MAJORITY);
}

const NO_ANSWER = 'no writable server answered in time';
const NOT_SECURE = 'no secure connection could be made (certificate or TLS setting)';
const TOO_OLD = 'the server is older than MongoDB 4.4';

/** What went wrong on the way to a server. */
const networkReason = (message: string): string => {
  if (/ENOTFOUND|EAI_AGAIN|query(Srv|Txt)|No addresses found/.test(message)) return 'the host is not known';
  if (/ECONNREFUSED/.test(message))
    return `nothing listens at ${/ECONNREFUSED ([^\s,]+)/.exec(message)?.[1] ?? 'its address'}`;
  if (/certificate|SSL|TLS/i.test(message)) return NOT_SECURE;
  return /wire version|requires at least/i.test(message) ? TOO_OLD : NO_ANSWER;
};

const reasonOf = (error: unknown): string => {
  if (error instanceof MongoCompatibilityError) return TOO_OLD;
  if (error instanceof MongoParseError || error instanceof MongoInvalidArgumentError)
    return 'not a URL of MongoDB, or with unknown options';
  const root = error instanceof MongoServerSelectionError ? rootOf(error) : error;
  if (hasCode(root, OUT_OF_DISK_SPACE)) return 'its disk is full';
  if (hasCode(root, ...ELECTION)) return NO_ANSWER;
  if (hasCode(root, ...AUTHENTICATION_FAILED) && !/not (authorized|allowed)/i.test(root.message))
    return 'the credentials were refused';
  if (hasCode(root, ...UNAUTHORIZED)) return 'the user may not read and write this database';
  if (!(root instanceof MongoServerError)) return networkReason(String(root));
  // Not its message, which may quote a document.
  return `the server answered with error ${root.code} (${root.codeName ?? 'no name'})`;
};

/** Why no server was found: the error of one, unless another one has answered, and may be elected. */
function rootOf({ reason, cause }: MongoServerSelectionError): unknown {
  const servers = [...(reason?.servers.values() ?? [])];
  return servers.every(({ error }) => error) ? (reason?.error ?? cause) : null;
}

/** Why the client cannot be used. @returns null while no server has answered */
async function refusalBy(client: MongoClient, error: unknown): Promise<string | null> {
  const reason = reasonOf(error);
  const isUnclear = [NO_ANSWER, NOT_SECURE].includes(reason) || client.options.hosts.length > 1;
  const wrong = isUnclear ? await wrongOption(client) : null;
  return wrong ?? (reason === NO_ANSWER ? null : reason);
}

/** Its sessions are ended, too, which a server that hangs does not answer. */
export async function close(client: MongoClient): Promise<void> {
  await limited(CLOSE_TIMEOUT_MS, () => client.close()).catch(() => undefined);
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
  for (const deadline = Date.now() + timeoutMs; ;) {
    try {
      await client.connect();
      return await initialize(client);
    } catch (error) {
      const refusal = error instanceof CannotOpen ? error : await refusalBy(client, error);
      if (refusal === null && Date.now() < deadline) {
        await sleep(PAUSE_MS);
        continue;
      }
      await close(client);
      throw refusal instanceof CannotOpen ? refusal : new CannotOpen('MONGODB_URL', refusal ?? NO_ANSWER);
    }
  }
}
