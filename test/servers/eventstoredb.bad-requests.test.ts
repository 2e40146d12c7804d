import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { BatchAppendReq, type BatchAppendResp, ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { credentials, type ServiceError, status } from '@grpc/grpc-js';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { type Cluster, startCluster } from './event-store-double/cluster';
import { MAX_MESSAGE_BYTES } from './event-store-double/start-node';
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

test('an append without events succeeds, and says where the stream is', async () => {
  const stream = `${newCategory()}-1`;
  const answers: (string | null)[] = [];
  const ask = async (sent: BatchAppendReq): Promise<void> => {
    const call = client.batchAppend().on('error', () => undefined);
    call.write(sent);
    const [response] = (await once(call, 'data')) as [BatchAppendResp];
    const success = response.getSuccess()!;
    answers.push(success.hasNoStream() ? null : success.getCurrentRevision());
    call.cancel();
  };
  await ask(request(stream).setProposedMessagesList([]));
  await ask(request(stream));
  await ask(request(stream).setProposedMessagesList([]));
  expect(answers).toEqual([null, '0', '0']);
});

test('a message above the limit ends its call, with the other appends on it', async () => {
  const sent = request(`${newCategory()}-1`);
  messageOf(sent).setData(Buffer.alloc(MAX_MESSAGE_BYTES));
  const call = client.batchAppend();
  const ended = new Promise<ServiceError>(resolve => call.on('error', resolve).on('data', () => undefined));
  call.write(sent);
  expect((await ended).code).toBe(status.RESOURCE_EXHAUSTED);
});

describe('a call of appends that is half closed', () => {
  const PENDING = 6;

  /** What else comes of bad requests that wait, after the first answer of each, for the one that their outcome is unknown. */
  const answersWhenHalfClosed = async (): Promise<number> => {
    let responses = 0;
    const call = client.batchAppend().on('data', () => (responses += 1));
    for (let n = 0; n < PENDING; n += 1) {
      const sent = request(`${newCategory()}-1`);
      messageOf(sent).clearId();
      call.write(sent);
    }
    await until(() => responses === PENDING);
    call.end();
    await once(call, 'end');
    return responses - PENDING;
  };

  beforeEach(() => (cluster.nodes[0]!.commitTimeoutMs = 40 * COMMIT_TIMEOUT_MS));
  afterEach(() => (cluster.nodes[0]!.commitTimeoutMs = COMMIT_TIMEOUT_MS));

  test.each([
    ['23.10', 1],
    ['24.2', PENDING - 1],
  ] as const)('loses answers in release %s, after %i', async (release, answers) => {
    cluster.nodes[0]!.release = release;
    expect(await answersWhenHalfClosed()).toBe(answers);
  });

  test('stays open when nothing is pending', async () => {
    let hasEnded = false;
    const call = client
      .batchAppend()
      .on('data', () => undefined)
      .on('end', () => (hasEnded = true));
    call.on('error', () => undefined).end();
    const other = client.batchAppend().on('error', () => undefined);
    other.write(request(`${newCategory()}-1`));
    await once(other, 'data');
    expect(hasEnded).toBe(false);
    other.cancel();
    call.cancel();
  });
});

describe('a read', () => {
  const readAll = (spoil: (options: ReadReq.Options) => unknown): ReadReq => {
    const filter = new ReadReq.Options.FilterOptions()
      .setStreamIdentifier(new ReadReq.Options.FilterOptions.Expression().setPrefixList(['a']))
      .setMax(32)
      .setCheckpointintervalmultiplier(1);
    const options = new ReadReq.Options()
      .setAll(new ReadReq.Options.AllOptions().setStart(new Empty()))
      .setFilter(filter)
      .setUuidOption(new ReadReq.Options.UUIDOption().setString(new Empty()));
    spoil(options);
    return new ReadReq().setOptions(options);
  };
  const subscribes = (options: ReadReq.Options): ReadReq.Options =>
    options.setSubscription(new ReadReq.Options.SubscriptionOptions());

  test.each<[what: string, spoil: (options: ReadReq.Options) => unknown]>([
    ['of no events', options => options.setCount('0')],
    ['of pages without events', options => options.setCount('9').getFilter()!.setMax(0)],
    ['of a subscription, of pages without events', options => subscribes(options).getFilter()!.setMax(0)],
  ])('%s is never answered', async (_, spoil) => {
    const seen: unknown[] = [];
    const call = client.read(readAll(spoil));
    for (const event of ['data', 'end', 'error']) call.on(event, value => seen.push(value));
    const other = client.read(readAll(options => options.setCount('9'))).on('data', () => undefined);
    await once(other, 'end');
    expect(seen).toEqual([]);
    call.cancel();
  });

  test('of a subscription with checkpoints after no page is an error', async () => {
    const call = client.read(
      readAll(options => subscribes(options).getFilter()!.setCheckpointintervalmultiplier(0)),
    );
    const ended = new Promise<ServiceError>(resolve => call.on('error', resolve).on('data', () => undefined));
    expect((await ended).code).toBe(status.UNKNOWN);
  });
});
