import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { OperationsService } from '@eventstore/db-client/generated/operations_grpc_pb';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import { Server, ServerCredentials, type UntypedHandleCall } from '@grpc/grpc-js';
import { append, batchAppend, newInFlight } from './appending';
import { deleteStream, tombstone } from './deleting';
import { getSupportedMethods } from './features';
import { gossip, type Member } from './gossip';
import { type NodeState, newNodeState } from './node-state';
import { read } from './reading';
import { replicaOf } from './replica';
import { requireCredentials } from './require-credentials';
import { startScavenge } from './scavenging';
import type { ServerLog } from './server-log';
import type { Streams } from './streams';

/** A longer one ends its call. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024 - 10_000;

/** Calls that a connection has at a time; the default of the server. */
const MAX_CALLS = 100;

export interface NodeOptions {
  readonly store: ServerLog;
  readonly streams: Streams;
  readonly port: number;
  readonly state?: NodeState;
  /** Default: a cluster of this node alone. */
  readonly members?: () => readonly Member[];
  readonly tls?: { readonly certificate: Buffer; readonly key: Buffer };
  /** user:password; default: everyone is accepted */
  readonly credentials?: string;
}

/** A stopped process answers nothing, although its machine takes connections. */
function unlessSilent<Handlers extends Record<string, UntypedHandleCall>>(
  handlers: Handlers,
  state: NodeState,
): Handlers {
  const silent = (handler: UntypedHandleCall) => {
    const handle = handler as unknown as (call: unknown, respond: unknown) => void;
    return (call: unknown, respond: unknown): void => {
      if (!state.isSilent) handle(call, respond);
    };
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, silent(handler)]),
  ) as unknown as Handlers;
}

/** Serves the protocol at 127.0.0.1. @returns a function that stops it */
export async function startNode(options: NodeOptions): Promise<() => void> {
  const { store, streams, port, state = newNodeState(), tls, credentials } = options;
  const { members = () => [{ endpoint: { host: '127.0.0.1', port }, isLeader: true, isAlive: true }] } =
    options;
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_concurrent_streams': MAX_CALLS,
  });
  const inFlight = newInFlight(state);
  const streamsHandlers = {
    append: append(streams, state, inFlight),
    batchAppend: batchAppend(streams, state, inFlight),
    delete: deleteStream(streams),
    read: read(replicaOf(store, state), streams, state),
    tombstone: tombstone(streams),
  };
  const serve = <Handlers extends Record<string, UntypedHandleCall>>(handlers: Handlers): Handlers =>
    unlessSilent(requireCredentials(handlers, credentials), state);
  server.addService(StreamsService, serve(streamsHandlers));
  server.addService(
    ServerFeaturesService,
    unlessSilent({ getSupportedMethods: getSupportedMethods(state) }, state),
  );
  server.addService(OperationsService, serve({ startScavenge: startScavenge(streams.scavenge) }));
  server.addService(GossipService, unlessSilent({ read: gossip(members) }, state));
  const access = tls
    ? ServerCredentials.createSsl(null, [{ cert_chain: tls.certificate, private_key: tls.key }])
    : ServerCredentials.createInsecure();
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, access, error => (error ? reject(error) : resolve()));
  });
  return () => server.forceShutdown();
}
