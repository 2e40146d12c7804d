import { convertToCommandError } from '@eventstore/db-client';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import { CannotOpen } from '../../../config/cannot-open';
import { OPEN_TIMEOUT_MS } from '../../open-timeout';
import { speaksTls } from '../../speaks-tls';
import { type Connection, connect } from './connection';
import {
  firstHost,
  hostsOf,
  InvalidConnectionString,
  isPlain,
  normalizeConnectionString,
} from './connection-string';
import { createReader } from './reader';

const UNIMPLEMENTED = 12;
const PERMISSION_DENIED = 7;
const TOO_OLD = 'the server is too old; EventStoreDB 22.6 or later, or KurrentDB, is needed';

/** Events that are read from a stream have no positions before. */
const OLDEST = { year: 22, month: 6 };

/** @param version such as 23.10.6.0 */
export function isTooOld(version: string): boolean {
  const [year = 0, month = 0] = version.split('.').map(Number);
  if (!(year >= 20)) return false;
  return year < OLDEST.year || (year === OLDEST.year && month < OLDEST.month);
}

/** Servers list the names in lower case; the protocol has capitals in them. */
const canAppendInBatches = (methods: SupportedMethods): boolean =>
  methods
    .getMethodsList()
    .some(method =>
      isSameName(`${method.getServiceName()}/${method.getMethodName()}`, StreamsService.batchAppend.path),
    );

const isSameName = (listed: string, path: string): boolean =>
  `/${listed}`.toLowerCase() === path.toLowerCase();

const describeCause = (error: unknown, hosts: string): string => {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
  const known = convertToCommandError(root) as Error & { code?: number; type?: string };
  const text = known.message;
  if (known.code === UNIMPLEMENTED) return TOO_OLD;
  if (known.code === PERMISSION_DENIED) return 'the user lacks the right to read $all';
  if (known.type === 'access-denied') return 'the server rejected the credentials';
  if (/ECONNREFUSED/.test(text)) return `nothing listens at ${hosts}`;
  if (/ENOTFOUND|EAI_AGAIN|Name resolution failed/.test(text)) return `unknown host ${hosts}`;
  if (/certificate|self.signed|SSL|TLS|wrong version number/i.test(text))
    return `no TLS connection to ${hosts} (${text}); use tls=false for a server without certificates`;
  if (/Server Is/.test(text)) return `${hosts} does not answer requests yet (${text})`;
  if (/Failed to discover/.test(text)) return `no node of the cluster at ${hosts} answers`;
  if (known.type === 'deadline-exceeded')
    return `${hosts} did not respond within ${OPEN_TIMEOUT_MS / 1000} s`;
  return `${hosts} does not respond like an event store (${text})`;
};

const startTimeLimit = (hosts: string, signal: AbortSignal | undefined) => {
  let timer: NodeJS.Timeout | undefined;
  let rejectWith: (error: Error) => void = () => undefined;
  const onAbort = (): void => rejectWith(new CannotOpen('EVENTSTORE_URL', 'opening was cancelled'));
  const reached = new Promise<never>((_, reject) => {
    rejectWith = reject;
    timer = setTimeout(
      () =>
        reject(
          new CannotOpen('EVENTSTORE_URL', `${hosts} did not respond within ${OPEN_TIMEOUT_MS / 1000} s`),
        ),
      OPEN_TIMEOUT_MS,
    );
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });
  const clear = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { reached, clear };
};

/** Connects, and checks the server's version and the right to read. @throws CannotOpen */
export async function openConnection(url: string, signal?: AbortSignal): Promise<Connection> {
  const hosts = hostsOf(url);
  let connection: Connection;
  try {
    connection = connect(normalizeConnectionString(url));
  } catch (error) {
    const cause =
      error instanceof InvalidConnectionString
        ? error.message
        : 'the connection string, or a file that it names, cannot be used';
    throw new CannotOpen('EVENTSTORE_URL', cause);
  }
  const limit = startTimeLimit(hosts, signal);
  const check = async (): Promise<void> => {
    const features = await connection.features(OPEN_TIMEOUT_MS);
    if (!canAppendInBatches(features) || isTooOld(features.getEventStoreServerVersion()))
      throw new CannotOpen('EVENTSTORE_URL', TOO_OLD);
    await createReader(connection).head();
  };
  try {
    await Promise.race([check(), limit.reached]);
    return connection;
  } catch (error) {
    void connection.close().catch(() => undefined);
    if (error instanceof CannotOpen) throw error;
    const wantsTls = isPlain(url) && (await speaksTls(firstHost(url)));
    const reason = wantsTls ? `${hosts} wants TLS: open it without tls=false` : describeCause(error, hosts);
    throw new CannotOpen('EVENTSTORE_URL', reason, { cause: error });
  } finally {
    limit.clear();
  }
}
