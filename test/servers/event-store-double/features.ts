import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import type { Empty } from '@eventstore/db-client/generated/shared_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';

/** Distinguishes it from EventStoreDB. */
export const VERSION = '0.0.0-double';

const METHODS = ['append', 'batchappend', 'read', 'delete', 'tombstone'];

export const getSupportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_call, respond) => {
  const methods = METHODS.map(name =>
    new SupportedMethod().setServiceName('event_store.client.streams.Streams').setMethodName(name),
  );
  respond(null, new SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(methods));
};
