import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDBClient, UnavailableError, WrongExpectedVersionError } from '@eventstore/db-client';
import { StreamsClient, type StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type {
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb';
import type { CallOptions, Client, ClientDuplexStream, ClientReadableStream, Metadata } from '@grpc/grpc-js';
import { withTimeout } from '../../../../contracts/retry/with-timeout';
import { toEngineError, unavailable } from './errors';
import { readAllRequest } from './read-requests';

type Arguments = [Metadata, CallOptions];

/**
 * Private methods of the client: node discovery (repeated when a node fails), TLS and credentials. They are not in its
 * types, hence the exact version in package.json. Of its public operations only `deleteStream` is used:
 *
 * - `appendToStream` keeps the pending appends of all calls and clients in one map of the module (`promiseBank` in
 *   `streams/appendToStream/batchAppend.js`), which an error of one call rejects and clears. The next response of another call
 *   finds nothing there and throws in an event handler, which ends the process. A leader that is replaced has two calls at a time.
 *   Nor does it stop waiting for a server that does not answer. With credentials for each call it makes a call for each append
 *   instead, at half the rate, and without TLS there are none.
 * - `readStream`, `readAll` and `subscribeToAll` give the data of events parsed by JSON.parse, and not its bytes. On Node 24 names
 *   with escapes are then those of other members (`readJson`), and text that is no JSON is the same as a string.
 * - None of them says which connection it uses, so that a node that does not answer could not be left: only a channel can be closed.
 * - `readAll` takes no filter, so that all events would be transferred to find those of a category.
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

export type ReadCall = ClientReadableStream<ReadResp>;
export type AppendCall = ClientDuplexStream<BatchAppendReq, BatchAppendResp>;

/** How long the server may take to respond: a command is refused within five seconds. */
export const RESPONSE_TIMEOUT_MS = 4_500;

/** After this long without a response the node of a call is asked something else, which it has as long again to answer. */
export const SILENCE_MS = 1_000;

/** What arrived while this process was busy has not been looked at yet. */
const LATE_MS = 50;

/** A cluster without a leader has no better node for a while. */
const MIN_LEAVE_INTERVAL_MS = 1_000;

export interface ReadOptions {
  /** The node rejects the read unless it is the leader, whose events include every acknowledged append. */
  readonly requiresLeader?: boolean;
  /** How long a node may be searched. Default: RESPONSE_TIMEOUT_MS */
  readonly timeoutMs?: number;
}

export interface Connection {
  /** Starts a call. The client is also notified of its error, and then discovers a node again. */
  read(request: ReadReq, options?: ReadOptions): Promise<ReadCall>;
  /**
   * Asks the node of a call that is silent something else. @returns false when it does not answer, or the client has left it:
   * later calls go to one that is discovered again, and the call goes on
   */
  nodeAnswers(call: ReadCall | AppendCall): Promise<boolean>;
  /** Whether the node of a call was left because it did not answer. */
  isSilent(call: ReadCall | AppendCall): boolean;
  append(): Promise<AppendCall>;
  /**
   * Deletes a stream softly: it may begin again.
   * @returns false when its last event has another revision @throws EngineUnavailable, EngineAccessDenied
   */
  deleteStream(stream: string, lastRevision: number): Promise<boolean>;
  /** The node of the call does not do its work: later calls go to one that is discovered again. The call goes on. */
  leaveNodeOf(call: AppendCall): void;
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

/** Whether anything, an error included, comes back in time. The read is cancelled if not. */
export async function answersInTime(call: ReadCall): Promise<boolean> {
  let isAnswered = false;
  const answer = new Promise<void>(resolve => {
    const onAnswer = (): void => {
      isAnswered = true;
      resolve();
    };
    call.on('data', onAnswer).on('end', onAnswer).on('error', onAnswer);
  });
  await withTimeout(SILENCE_MS, answer, () => undefined);
  if (!isAnswered) await pause(LATE_MS);
  if (!isAnswered) call.cancel();
  return isAnswered;
}

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
  const clientOf = new WeakMap<object, StreamsClient>();
  let leftAt = -Infinity;
  const silent = new WeakSet<StreamsClient>();
  const checks = new WeakMap<StreamsClient, Promise<boolean>>();

  const check = async (streams: StreamsClient): Promise<boolean> => {
    const args = internals.callArguments({}, { deadline: Infinity });
    if (await answersInTime(streams.read(readAllRequest('end', 'backwards', null, 1), ...args))) return true;
    silent.add(streams);
    leftAt = performance.now();
    await internals.handleError(streams, new UnavailableError());
    return false;
  };

  const start = async <Call extends { cancel(): void }>(
    name: string,
    options: ReadOptions,
    begin: (streams: StreamsClient, ...args: Arguments) => Call,
  ): Promise<Call> => {
    try {
      const args = internals.callArguments(options, { deadline: Infinity });
      const open = internals.GRPCStreamCreator(StreamsClient, name, streams => {
        latest = streams;
        const call = begin(streams, ...args);
        clientOf.set(call, streams);
        return call;
      });
      return await startInTime(leaving.then(open), options.timeoutMs ?? RESPONSE_TIMEOUT_MS);
    } catch (error) {
      throw toEngineError(error);
    }
  };

  return {
    read: (request, options = {}) =>
      start('read', options, (streams, ...args) => streams.read(request, ...args)),
    nodeAnswers: call => {
      const streams = clientOf.get(call)!;
      if (silent.has(streams)) return Promise.resolve(false);
      const checking =
        checks.get(streams) ??
        check(streams)
          // The client has left it for another reason.
          .catch(() => false)
          .finally(() => checks.delete(streams));
      checks.set(streams, checking);
      return checking;
    },
    isSilent: call => silent.has(clientOf.get(call)!),
    append: () => start('append', {}, (streams, ...args) => streams.batchAppend(...args)),
    deleteStream: async (stream, lastRevision) => {
      try {
        const expectedRevision = BigInt(lastRevision);
        await leaving;
        await withTimeout(RESPONSE_TIMEOUT_MS, client.deleteStream(stream, { expectedRevision }), () => {
          throw unavailable(`it did not delete a stream within ${RESPONSE_TIMEOUT_MS / 1000} s`);
        });
        return true;
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) return false;
        throw toEngineError(error);
      }
    },
    leaveNodeOf: call => {
      if (performance.now() - leftAt < MIN_LEAVE_INTERVAL_MS) return;
      leftAt = performance.now();
      void internals.handleError(clientOf.get(call)!, new UnavailableError());
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
