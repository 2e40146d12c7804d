import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import type { Empty } from '@eventstore/db-client/generated/shared_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';

/** Distinguishes it from EventStoreDB. */
export const VERSION = '0.0.0-double';

/** All names are in lower case, as the server sends them. */
const SERVICE = 'event_store.client.streams.streams';
const METHODS: readonly (readonly [name: string, features?: string[]])[] = [
  ['append'],
  ['batchappend', ['deadline_duration']],
  ['read'],
  ['delete'],
  ['tombstone'],
];

export const getSupportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_call, respond) => {
  const methods = METHODS.map(([name, features = []]) =>
    new SupportedMethod().setServiceName(SERVICE).setMethodName(name).setFeaturesList(features),
  );
  respond(null, new SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(methods));
};
