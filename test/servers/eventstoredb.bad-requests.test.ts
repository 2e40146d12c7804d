import { randomUUID } from 'node:crypto';
import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { credentials } from '@grpc/grpc-js';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { type Cluster, startCluster } from './event-store-double/cluster';
import { newCategory } from './eventstoredb-traffic';

/* That the double rejects what a server does: a client that forgets something must not pass on it. */

const COMMIT_TIMEOUT_MS = 50;

let cluster: Cluster;
let client: StreamsClient;
beforeAll(async () => {
  cluster = await startCluster(temporaryFolder(), 1);
  cluster.nodes[0]!.commitTimeoutMs = COMMIT_TIMEOUT_MS;
  client = new StreamsClient(`127.0.0.1:${cluster.ports[0]}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

const request = (stream: string): BatchAppendReq => {
  const message = new BatchAppendReq.ProposedMessage()
    .setId(new UUID().setString(randomUUID()))
    .setData(Buffer.from('{}'));
  message.getMetadataMap().set('type', 'happened').set('content-type', 'application/json');
  const options = new BatchAppendReq.Options()
    .setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setNoStream(new Empty());
  return new BatchAppendReq()
    .setCorrelationId(new UUID().setString(randomUUID()))
    .setOptions(options)
    .setProposedMessagesList([message])
    .setIsFinal(true);
};

/** The details of the responses to a request, in order. */
const responsesTo = async (sent: BatchAppendReq, count: number): Promise<(string | undefined)[]> => {
  const responses: BatchAppendResp[] = [];
  const call = client.batchAppend();
  call.on('data', (response: BatchAppendResp) => responses.push(response)).on('error', () => undefined);
  call.write(sent);
  await until(() => responses.length === count);
  call.cancel();
  const correlation = sent.getCorrelationId()!.getString();
  expect(responses.map(response => response.getCorrelationId()!.getString())).toEqual(
    Array(count).fill(correlation),
  );
  return responses.map(response => response.getError()?.getDetails()?.getTypeName().split('.').pop());
};

const messageOf = (sent: BatchAppendReq): BatchAppendReq.ProposedMessage =>
  sent.getProposedMessagesList()[0]!;

test.each<[what: string, spoil: (sent: BatchAppendReq) => unknown]>([
  ['a type', sent => messageOf(sent).getMetadataMap().del('type')],
  ['a content type', sent => messageOf(sent).getMetadataMap().del('content-type')],
  ['a stream', sent => sent.getOptions()!.clearStreamIdentifier()],
  ['an expected revision', sent => sent.getOptions()!.clearNoStream()],
  ['an id', sent => messageOf(sent).clearId()],
  [
    'an id other than zero',
    sent => messageOf(sent).setId(new UUID().setString('00000000-0000-0000-0000-000000000000')),
  ],
  ['an id that is one', sent => messageOf(sent).setId(new UUID().setString('id'))],
])(
  'an append without %s is a bad request, then its outcome is unknown, and nothing is appended',
  async (_, spoil) => {
    const stream = `${newCategory()}-1`;
    const sent = request(stream);
    spoil(sent);
    expect(await responsesTo(sent, 2)).toEqual(['BadRequest', 'Timeout']);
    expect(await responsesTo(request(stream), 1)).toEqual([undefined]);
  },
);
