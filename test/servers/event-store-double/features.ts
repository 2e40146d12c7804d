import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import type { Empty } from '@eventstore/db-client/generated/shared_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';

/** Not a version of EventStoreDB: it is none. */
export const VERSION = '0.0.0-double';

const METHODS = ['append', 'batchappend', 'read', 'delete', 'tombstone'];

export const getSupportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_call, answer) => {
  const methods = METHODS.map(name =>
    new SupportedMethod().setServiceName('event_store.client.streams.Streams').setMethodName(name),
  );
  answer(null, new SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(methods));
};
