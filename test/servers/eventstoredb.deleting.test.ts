import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, type AllStreamRecordedEvent } from '@eventstore/db-client';
import { temporaryFolder } from '../temporary-folder';
import { type Cluster, startCluster } from './event-store-double/cluster';
import { newCategory } from './eventstoredb-traffic';

/* That the double deletes as a server does: a client of its own looks at what that leaves. */

let cluster: Cluster;
let client: EventStoreDBClient;
beforeAll(async () => {
  cluster = await startCluster(temporaryFolder(), 1);
  client = EventStoreDBClient.connectionString(cluster.url);
});
afterAll(async () => {
  await client.dispose();
  await cluster.stop();
});

const event = () => jsonEvent({ id: randomUUID(), type: 'happened', data: {} });

const all = async (): Promise<AllStreamRecordedEvent[]> => {
  const events: AllStreamRecordedEvent[] = [];
  for await (const read of client.readAll()) if (read.event) events.push(read.event);
  return events;
};

test('the first record of all is of its scavenges', async () => {
  expect((await all())[0]!.streamId).toBe('$$$scavenges');
});

test('a deletion writes the metadata of the stream, as JSON, and nothing else', async () => {
  const stream = `${newCategory()}-1`;
  await client.appendToStream(stream, event());
  const before = (await all()).length;
  await client.deleteStream(stream);
  expect((await all()).slice(before)).toMatchObject([
    { streamId: `$$${stream}`, type: '$metadata', isJson: true, data: { $tb: 1 } },
  ]);
});

test('of metadata only the newest can be read', async () => {
  const stream = `${newCategory()}-1`;
  for (const $tb of [1, 2]) {
    await client.appendToStream(stream, [event(), event()]);
    await client.setStreamMetadata(stream, { truncateBefore: $tb });
  }
  const read: unknown[] = [];
  for await (const { event: found } of client.readStream(`$$${stream}`)) read.push(found?.data);
  expect(read).toEqual([{ $tb: 2 }]);
});

test('a tombstone is the last revision that there can be, without JSON', async () => {
  const stream = `${newCategory()}-1`;
  await client.appendToStream(stream, event());
  const before = (await all()).length;
  await client.tombstoneStream(stream);
  expect((await all()).slice(before)).toMatchObject([
    { streamId: stream, type: '$streamDeleted', isJson: false, revision: 2n ** 63n - 1n },
  ]);
});

test.each([
  ['any', -2],
  ['no_stream', -1],
  [7n, 7],
] as const)(
  'the deletion of a stream that is missing is an error in a sentence, whatever is expected: %s',
  async (expectedRevision, number) => {
    const stream = `${newCategory()}-1`;
    const error: unknown = await client
      .deleteStream(stream, { expectedRevision })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      type: 'wrong-expected-version',
      message: expect.stringContaining(
        `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${number}, Actual version: -1`,
      ) as unknown,
    });
  },
);
