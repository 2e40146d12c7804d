import { EventStoreDBClient, UnavailableError, WrongExpectedVersionError } from '@eventstore/db-client';
import { StreamsClient, type StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { BatchAppendReq, BatchAppendResp, ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { CallOptions, Client, ClientDuplexStream, Metadata } from '@grpc/grpc-js';
import { withTimeout } from '../../../../contracts/retry/with-timeout';
import { toEngineError, unavailable } from './errors';
import { Node, type ReadCall } from './node';
import { readAllRequest } from './read-requests';

type Arguments = [Metadata, CallOptions];

/**
 * Private methods of the client: node discovery (repeated when a node fails), TLS and credentials. They are not in its
 * types, hence the exact version in package.json. Of its public operations only `deleteStream` is used:
 *
 * - `appendToStream` ends the process: an error of one call rejects and forgets the appends of all (`promiseBank` in
 *   `streams/appendToStream/batchAppend.js`), and the next response to one of them throws in an event handler. A leader that is
 *   replaced has two calls at a time. With credentials for each append it makes a call for each, at half the rate.
 * - `readStream`, `readAll` and `subscribeToAll` give data that JSON.parse has read, and not its bytes: on Node 24 names with
 *   escapes are then those of other members (`readJson`), which nothing shows.
 * - None of them says which connection it uses, so that a node that does not answer could not be left, and `readAll` has no filter.
 */
interface ClientInternals {
  GRPCStreamCreator<Call>(
    stub: typeof StreamsClient,
    name: string,
    start: (client: StreamsClient) => Call,
  ): () => Promise<Call>;
  getGRPCClient(stub: typeof StreamsClient, name: string): Promise<StreamsClient>;
  readonly capabilities: Promise<ServerFeatures>;
  callArguments(options: { readonly requiresLeader?: boolean }, call: CallOptions): Arguments;
  handleError(client: Client, error: Error): Promise<void>;
}

/** What the client has asked the server. */
interface ServerFeatures {
  readonly serverVersion: string;
  supports(method: (typeof StreamsService)['batchAppend']): boolean;
}

export type AppendCall = ClientDuplexStream<BatchAppendReq, BatchAppendResp>;

/** How long the server may take to respond: a command is refused within five seconds. */
export const RESPONSE_TIMEOUT_MS = 4_500;

/** A cluster without a leader has no better node for a while. */
export const MIN_LEAVE_INTERVAL_MS = 1_000;

export interface ReadOptions {
  /** The node rejects the read unless it is the leader, whose events include every acknowledged append. */
  readonly requiresLeader?: boolean;
  /** How long a node may be searched. Default: RESPONSE_TIMEOUT_MS */
  readonly timeoutMs?: number;
}

/** A call, and where it was sent. */
export interface Sent<Call> {
  readonly call: Call;
  readonly node: Node;
}

export interface Connection {
  /** Starts a call. The client is also notified of its error, and then discovers a node again. */
  read(request: ReadReq, options?: ReadOptions): Promise<Sent<ReadCall>>;
  append(): Promise<Sent<AppendCall>>;
  /**
   * Deletes a stream softly: it may begin again.
   * @returns false when its last event has another revision @throws EngineUnavailable, EngineAccessDenied
   */
  deleteStream(stream: string, lastRevision: number): Promise<boolean>;
  features(): Promise<ServerFeatures>;
  close(): Promise<void>;
}

/** The client discovers nodes of a cluster for longer than a caller can wait; a call that starts late is cancelled. */
const startInTime = async <Call extends { cancel(): void }>(
  opening: Promise<Call>,
  timeoutMs: number,
): Promise<Call> => {
  let isLate = false;
  opening.then(
    call => isLate && call.cancel(),
    () => undefined,
  );
  return withTimeout(timeoutMs, opening, () => {
    isLate = true;
    throw unavailable('no node was found in time');
  });
};

/** Connects with the first call. @throws what the client throws for a connection string that it cannot use */
export function connect(connectionString: string): Connection {
  const client = EventStoreDBClient.connectionString(connectionString);
  const internals = client as unknown as ClientInternals;

  // The client does not await it, and it rejects when no other node is found.
  const { handleError } = internals;
  let leaving = Promise.resolve();
  internals.handleError = (failed, error) => (leaving = handleError(failed, error).catch(() => undefined));

  // All stubs have one channel, until the client has discovered another node.
  let latest: Client | null = null;
  const nodes = new WeakMap<StreamsClient, Node>();
  let leftAt = -Infinity;

  const nodeOf = (streams: StreamsClient): Node => {
    const ask = (): ReadCall => {
      const args = internals.callArguments({}, { deadline: Infinity });
      return streams.read(readAllRequest('end', 'backwards', null, 1), ...args);
    };
    const leave = async (): Promise<void> => {
      if (performance.now() - leftAt < MIN_LEAVE_INTERVAL_MS) return;
      leftAt = performance.now();
      await internals.handleError(streams, new UnavailableError());
    };
    const node = nodes.get(streams) ?? new Node(ask, leave);
    nodes.set(streams, node);
    return node;
  };

  const start = async <Call extends { cancel(): void }>(
    name: string,
    options: ReadOptions,
    begin: (streams: StreamsClient, ...args: Arguments) => Call,
  ): Promise<Sent<Call>> => {
    try {
      const args = internals.callArguments(options, { deadline: Infinity });
      let node: Node;
      const open = internals.GRPCStreamCreator(StreamsClient, name, streams => {
        latest = streams;
        node = nodeOf(streams);
        return begin(streams, ...args);
      });
      const call = await startInTime(leaving.then(open), options.timeoutMs ?? RESPONSE_TIMEOUT_MS);
      return { call, node: node! };
    } catch (error) {
      throw toEngineError(error);
    }
  };

  return {
    read: (request, options = {}) =>
      start('read', options, (streams, ...args) => streams.read(request, ...args)),
    append: () => start('append', {}, (streams, ...args) => streams.batchAppend(...args)),
    deleteStream: async (stream, lastRevision) => {
      try {
        const expectedRevision = BigInt(lastRevision);
        const deleting = leaving.then(() => client.deleteStream(stream, { expectedRevision }));
        await withTimeout(RESPONSE_TIMEOUT_MS, deleting, () => {
          throw unavailable(`it did not delete a stream within ${RESPONSE_TIMEOUT_MS / 1000} s`);
        });
        return true;
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) return false;
        throw toEngineError(error);
      }
    },
    features: async () => {
      latest = await internals.getGRPCClient(StreamsClient, 'features');
      return internals.capabilities;
    },
    close: async () => {
      await client.dispose();
      latest?.close();
    },
  };
}
