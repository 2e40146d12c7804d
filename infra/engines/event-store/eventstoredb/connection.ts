import { EventStoreDBClient } from '@eventstore/db-client';
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type {
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb';
import type {
  CallOptions,
  Client,
  ClientDuplexStream,
  ClientReadableStream,
  Metadata,
  ServiceError,
} from '@grpc/grpc-js';
import { within } from '../../with-timeout';
import { fault, unavailable } from './faults';

type Stub<Of extends Client> = new (...args: ConstructorParameters<typeof Client>) => Of;
type Arguments = [Metadata, CallOptions];

/**
 * What the client's own operations are made of: the node to talk to (found again when it fails), TLS, credentials.
 * Its types keep these to itself, hence the exact version in package.json. Its operations are not used:
 *
 * - `appendToStream` keeps the appends in flight of all clients in one list of the module. When one connection
 *   fails, those of all others fail with it, and an answer that still comes for one of them, or a write that waits
 *   for the connection, ends the process.
 * - `readAll` takes no filter, so that a category would be searched for on this side of the network.
 */
interface Doors {
  GRPCStreamCreator<Of extends Client, Call>(
    stub: Stub<Of>,
    name: string,
    start: (client: Of) => Call,
  ): () => Promise<Call>;
  getGRPCClient<Of extends Client>(stub: Stub<Of>, name: string): Promise<Of>;
  callArguments(options: object, call: CallOptions): Arguments;
  handleError(client: Client, error: Error): Promise<void>;
}

export type ReadCall = ClientReadableStream<ReadResp>;
export type AppendCall = ClientDuplexStream<BatchAppendReq, BatchAppendResp>;

/** How long the server may take to say something when it has something to say, in milliseconds. */
export const PATIENCE = 5_000;

export interface Connection {
  /** Starts a call. Its error, if it comes to one, is also told to the client, which then looks for a node again. */
  read(request: ReadReq): Promise<ReadCall>;
  append(): Promise<AppendCall>;
  /** @param patience in milliseconds */
  features(patience: number): Promise<SupportedMethods>;
  close(): Promise<void>;
}

/** The client looks for a node of a cluster for longer than a caller can wait; what is found then is let go. */
const inTime = async <Call extends { cancel(): void }>(opening: Promise<Call>): Promise<Call> => {
  let isLate = false;
  opening.then(
    call => isLate && call.cancel(),
    () => undefined,
  );
  return within(PATIENCE, opening, () => {
    isLate = true;
    throw unavailable(`no node was found within ${PATIENCE / 1000} s`);
  });
};

/** Connects with the first call. @throws whatever the client throws at a connection string it cannot use */
export function connect(connectionString: string): Connection {
  const client = EventStoreDBClient.connectionString(connectionString);
  const doors = client as unknown as Doors;

  // Nobody awaits it, and it rejects when the node that it would go on to is not found.
  const { handleError } = doors;
  doors.handleError = (failed, error) => handleError(failed, error).catch(() => undefined);

  let latest: StreamsClient | null = null;

  const start = async <Call extends { cancel(): void }>(
    name: string,
    begin: (streams: StreamsClient, ...args: Arguments) => Call,
  ): Promise<Call> => {
    try {
      const args = doors.callArguments({}, { deadline: Infinity });
      const open = doors.GRPCStreamCreator(StreamsClient, name, streams =>
        begin((latest = streams), ...args),
      );
      return await inTime(open());
    } catch (error) {
      throw fault(error);
    }
  };

  return {
    read: request => start('read', (streams, ...args) => streams.read(request, ...args)),
    append: () => start('append', (streams, ...args) => streams.batchAppend(...args)),
    features: async patience => {
      const args = doors.callArguments({}, { deadline: Date.now() + patience });
      const stub = await doors.getGRPCClient(ServerFeaturesClient, 'features');
      return new Promise((resolve, reject) => {
        stub.getSupportedMethods(new Empty(), ...args, (error: ServiceError | null, methods) =>
          error ? reject(error) : resolve(methods),
        );
      });
    },
    close: async () => {
      await client.dispose();
      latest?.close();
    },
  };
}
