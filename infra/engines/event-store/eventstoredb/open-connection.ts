import { convertToCommandError } from '@eventstore/db-client';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import { withTimeout } from '../../../../contracts/retry/with-timeout';
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

/** Connects, and checks the server's version and the right to read. @throws CannotOpen */
export async function openConnection(url: string): Promise<Connection> {
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
  const check = async (): Promise<void> => {
    const { serverVersion, supports } = await connection.features();
    if (!supports(StreamsService.batchAppend) || isTooOld(serverVersion))
      throw new CannotOpen('EVENTSTORE_URL', TOO_OLD);
    await createReader(connection).head();
  };
  try {
    await withTimeout(OPEN_TIMEOUT_MS, check(), () => {
      throw new CannotOpen('EVENTSTORE_URL', `${hosts} did not respond within ${OPEN_TIMEOUT_MS / 1000} s`);
    });
    return connection;
  } catch (error) {
    void connection.close().catch(() => undefined);
    if (error instanceof CannotOpen) throw error;
    const wantsTls = isPlain(url) && (await speaksTls(firstHost(url)));
    const reason = wantsTls ? `${hosts} wants TLS: open it without tls=false` : describeCause(error, hosts);
    throw new CannotOpen('EVENTSTORE_URL', reason, { cause: error });
  }
}
