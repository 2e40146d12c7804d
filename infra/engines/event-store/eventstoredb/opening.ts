import { convertToCommandError } from '@eventstore/db-client';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { CannotOpen } from '../../cannot-open';
import { type Connection, connect } from './connection';
import { checked, hostsOf, UnusableConnectionString } from './connection-string';
import { createReads } from './reads';

const PATIENCE = 6_000;

const UNIMPLEMENTED = 12;
const PERMISSION_DENIED = 7;
const TOO_OLD = 'the server is too old; EventStoreDB 21.10 or later, or KurrentDB, is needed';

const canAppendInBatches = (methods: SupportedMethods): boolean =>
  methods
    .getMethodsList()
    .some(
      method =>
        method.getServiceName() === 'event_store.client.streams.Streams' &&
        method.getMethodName().toLowerCase() === 'batchappend',
    );

const causeOf = (error: unknown, hosts: string): string => {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
  const known = convertToCommandError(root) as Error & { code?: number; type?: string };
  const text = known.message;
  if (known.code === UNIMPLEMENTED) return TOO_OLD;
  if (known.code === PERMISSION_DENIED) return 'this user has no right to read $all';
  if (known.type === 'access-denied') return 'the server refuses these credentials';
  if (/ECONNREFUSED/.test(text)) return `nothing listens at ${hosts}`;
  if (/ENOTFOUND|EAI_AGAIN|Name resolution failed/.test(text)) return `there is no host of the name ${hosts}`;
  if (/certificate|self.signed|SSL|TLS|wrong version number/i.test(text))
    return `no secure connection to ${hosts} (${text}); tls=false is for a server without certificates`;
  if (/Failed to discover/.test(text)) return `no node of the cluster at ${hosts} answers`;
  if (known.type === 'deadline-exceeded') return `${hosts} does not answer within ${PATIENCE / 1000} s`;
  return `${hosts} does not answer as an event store does (${text})`;
};

const timeLimit = (hosts: string, signal: AbortSignal | undefined) => {
  let timer: NodeJS.Timeout | undefined;
  let give: (error: Error) => void = () => undefined;
  const onAbort = (): void => give(new CannotOpen('EVENTSTORE_URL', 'it was given up'));
  const reached = new Promise<never>((_, reject) => {
    give = reject;
    timer = setTimeout(
      () => reject(new CannotOpen('EVENTSTORE_URL', `${hosts} does not answer within ${PATIENCE / 1000} s`)),
      PATIENCE,
    );
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });
  const lift = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { reached, lift };
};

/** A connection that was seen to work: the server is there, new enough, and lets us read. @throws CannotOpen */
export async function openConnection(url: string, signal?: AbortSignal): Promise<Connection> {
  const hosts = hostsOf(url);
  let connection: Connection;
  try {
    connection = connect(checked(url));
  } catch (error) {
    const cause =
      error instanceof UnusableConnectionString
        ? error.message
        : 'the connection string, or a file that it names, cannot be used';
    throw new CannotOpen('EVENTSTORE_URL', cause);
  }
  const limit = timeLimit(hosts, signal);
  const check = async (): Promise<void> => {
    if (!canAppendInBatches(await connection.features(PATIENCE)))
      throw new CannotOpen('EVENTSTORE_URL', TOO_OLD);
    await createReads(connection).head();
  };
  try {
    await Promise.race([check(), limit.reached]);
    return connection;
  } catch (error) {
    void connection.close().catch(() => undefined);
    throw error instanceof CannotOpen
      ? error
      : new CannotOpen('EVENTSTORE_URL', causeOf(error, hosts), { cause: error });
  } finally {
    limit.lift();
  }
}
