import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { append, batchAppend } from './appending';
import { deleteStream, tombstone } from './deleting';
import { getSupportedMethods } from './features';
import { gossip } from './gossip';
import { requireCredentials } from './require-credentials';
import { read } from './reading';
import { openStreams } from './streams';

/*
 * node main.js <folder> <port> [<certificate> <key> <user:password>]
 *
 * A double of EventStoreDB: implements the part of its gRPC protocol that clients of streams use, over the embedded event
 * store. Its responses follow the source of the server. To verify them, run the same tests against a real server with
 * EVENTSTORE_URL.
 */

const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;

type Arguments = [folder: string, port: string, certificate?: string, key?: string, credentials?: string];

const serverCredentials = (certificate?: string, key?: string): ServerCredentials =>
  certificate && key
    ? ServerCredentials.createSsl(null, [
        { cert_chain: readFileSync(certificate), private_key: readFileSync(key) },
      ])
    : ServerCredentials.createInsecure();

const main = async ([folder, port, certificate, key, credentials]: Arguments): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const streams = await openStreams(store);
  const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES });
  const streamsHandlers = {
    append: append(streams),
    batchAppend: batchAppend(streams),
    delete: deleteStream(streams),
    read: read(store, streams),
    tombstone: tombstone(streams),
  };
  server.addService(StreamsService, requireCredentials(streamsHandlers, credentials));
  server.addService(ServerFeaturesService, requireCredentials({ getSupportedMethods }, credentials));
  server.addService(GossipService, { read: gossip(Number(port)) });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, serverCredentials(certificate, key), error =>
      error ? reject(error) : resolve(),
    );
  });
  process.on('SIGTERM', () => {
    server.forceShutdown();
    void store.close();
  });
};

void main(process.argv.slice(2) as Arguments);
