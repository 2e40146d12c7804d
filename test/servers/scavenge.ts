import { randomUUID } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import { StartScavengeReq } from '@eventstore/db-client/generated/operations_pb';
import { credentials, type ServiceError } from '@grpc/grpc-js';

/**
 * Tombstones streams and scavenges the server: their records vanish, and positions have no record where they were.
 * @param url of a server without TLS. A real one scavenges only chunks of its log that are full
 */
export async function scavenge(url: string, streams: readonly string[]): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  try {
    for (const stream of streams) await client.tombstoneStream(stream);
  } finally {
    await client.dispose();
  }
  const operations = new OperationsClient(/\/\/([^,?]+)/.exec(url)![1]!, credentials.createInsecure());
  const request = new StartScavengeReq().setOptions(
    new StartScavengeReq.Options().setThreadCount(1).setStartFromChunk(0),
  );
  try {
    await new Promise<void>((resolve, reject) => {
      operations.startScavenge(request, (error: ServiceError | null) => (error ? reject(error) : resolve()));
    });
  } finally {
    operations.close();
  }
}

/** Streams of other writers, each of which is gone once the server is scavenged. */
export function foreignStream(): string {
  return `x${randomUUID().replaceAll('-', '')}-1`;
}
