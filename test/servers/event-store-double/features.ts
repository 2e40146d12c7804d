import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import type { Empty } from '@eventstore/db-client/generated/shared_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';
import type { NodeState } from './node-state';

/** All names are in lower case, as the server sends them. */
const SERVICE = 'event_store.client.streams.streams';
const METHODS: readonly (readonly [name: string, features?: string[]])[] = [
  ['append'],
  ['batchappend', ['deadline_duration']],
  ['read'],
  ['delete'],
  ['tombstone'],
];

export function getSupportedMethods(node: NodeState): handleUnaryCall<Empty, SupportedMethods> {
  return (_call, respond) => {
    const methods = METHODS.map(([name, features = []]) =>
      new SupportedMethod().setServiceName(SERVICE).setMethodName(name).setFeaturesList(features),
    );
    respond(null, new SupportedMethods().setEventStoreServerVersion(node.version).setMethodsList(methods));
  };
}
