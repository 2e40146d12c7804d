import { once } from 'node:events';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { type handleServerStreamingCall, type ServerWritableStream, status } from '@grpc/grpc-js';
import { BEGINNING } from '../../../contracts/position';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import { eventResponse, streamNotFoundResponse } from './responses';
import { filterOf, searchWindow } from './filter';
import { accessDenied, assertLeads, codeOf, type NodeState } from './node-state';
import { givenPosition, NoRecord } from './given-position';
import { StatusError } from './status-error';
import type { ServerLog } from './server-log';
import type { Streams } from './streams';
import { serveSubscription, type Send } from './subscribing';

const BACKWARDS = 1;

type Call = ServerWritableStream<ReadReq, ReadResp>;
type Options = ReadReq.Options;

const sender =
  (call: Call, cancelled: AbortSignal): Send =>
  async response => {
    if (cancelled.aborted || call.write(response)) return;
    await once(call, 'drain', { signal: cancelled }).catch(() => undefined);
  };

const directionOf = (options: Options): 'forwards' | 'backwards' =>
  (options.getReadDirection() as number) === BACKWARDS ? 'backwards' : 'forwards';

async function* streamEvents(
  store: EventStore,
  beginning: number,
  options: Options,
): AsyncGenerator<RecordedEvent> {
  const streamOptions = options.getStream()!;
  const stream = Buffer.from(streamOptions.getStreamIdentifier()!.getStreamName_asU8()).toString();
  const direction = directionOf(options);
  const given = streamOptions.hasRevision() ? Number(streamOptions.getRevision()) : undefined;
  const from = direction === 'forwards' ? Math.max(given ?? 0, beginning) : given;
  for await (const event of store.readStream(stream, { direction, ...(from !== undefined && { from }) })) {
    if (event.revision < beginning) return;
    yield event;
  }
}

/** The position is inclusive forwards and exclusive backwards, as in the server. */
async function* allEvents(
  store: ServerLog,
  node: NodeState,
  options: Options,
): AsyncGenerator<RecordedEvent> {
  const all = options.getAll()!;
  const direction = directionOf(options);
  if (direction === 'forwards' ? all.hasEnd() : all.hasStart()) return;
  const given = await givenPosition(store, all);
  if (given?.isBeyondEnd) {
    if (direction === 'forwards') return;
    throw new NoRecord();
  }
  const matches = filterOf(options);
  const after =
    given === null
      ? undefined
      : direction === 'forwards'
        ? Math.max(given.position - 1, BEGINNING)
        : given.position;
  const scan = options.hasFilter() ? node.scan : async () => undefined;
  await scan();
  for await (const batch of store.readAll({ direction, ...(after !== undefined && { after }) })) {
    for (const event of batch) if (matches(event)) yield event;
    await scan();
  }
}

async function* eventsOf(
  store: ServerLog,
  streams: Streams,
  node: NodeState,
  options: Options,
): AsyncGenerator<RecordedEvent | null> {
  if (options.hasAll()) return yield* allEvents(store, node, options);
  const name = Buffer.from(options.getStream()!.getStreamIdentifier()!.getStreamName_asU8()).toString();
  const beginning = await streams.beginning(name);
  if (beginning === null) yield null;
  else yield* streamEvents(store, beginning, options);
}

/** The server rejects a checkpoint after no page at all, and never answers what asks for no event, or for pages without any. */
const isRefused = async (options: Options, cancelled: AbortSignal): Promise<boolean> => {
  const search = searchWindow(options);
  if (options.hasSubscription() && search?.multiplier === 0)
    throw new StatusError(status.UNKNOWN, 'Exception was thrown by handler.');
  const isAnswered = search?.window !== 0 && (options.hasSubscription() || Number(options.getCount()) > 0);
  if (!isAnswered && !cancelled.aborted) await once(cancelled, 'abort');
  return !isAnswered;
};

const serve = async (
  store: ServerLog,
  streams: Streams,
  node: NodeState,
  { request, metadata }: Pick<Call, 'request' | 'metadata'>,
  send: Send,
  cancelled: AbortSignal,
): Promise<void> => {
  const options = request.getOptions()!;
  node.reads += 1;
  if (node.denied === 'reads') throw accessDenied();
  if (node.rejectsReads !== null) throw new StatusError(codeOf(node.rejectsReads), node.rejectsReads);
  assertLeads(node, metadata);
  if (await isRefused(options, cancelled)) return;
  if (options.hasSubscription()) return serveSubscription(store, node, options, send, cancelled);
  const name = options.getStream()?.getStreamIdentifier()?.getStreamName_asU8();
  let remaining = Number(options.getCount());
  for await (const event of eventsOf(store, streams, node, options)) {
    if (remaining-- <= 0 || cancelled.aborted) return;
    await send(event ? eventResponse(event) : streamNotFoundResponse(Buffer.from(name!).toString()));
  }
};

/** What the server answers to a position at which it has no record. */
const noRecord = (options: Options, { release }: NodeState): StatusError => {
  const read = options.hasFilter() ? 'FilteredReadAllResult' : 'ReadAllResult';
  if (release === '24.2')
    return options.hasSubscription()
      ? new StatusError(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')
      : new StatusError(status.UNKNOWN, `Unexpected ${read}: InvalidPosition`);
  return new StatusError(
    status.UNKNOWN,
    options.hasSubscription() ? 'Exception was thrown by handler.' : `Unexpected ${read}: Error`,
  );
};

const statusOf = (error: Error, options: Options, node: NodeState): StatusError => {
  if (error instanceof StatusError) return error;
  if (error instanceof NoRecord) return noRecord(options, node);
  return new StatusError(status.UNKNOWN, String(error));
};

export function read(
  store: ServerLog,
  streams: Streams,
  node: NodeState,
): handleServerStreamingCall<ReadReq, ReadResp> {
  return call => {
    const cancelled = new AbortController();
    call.on('cancelled', () => cancelled.abort());
    call.on('error', () => cancelled.abort());
    void serve(store, streams, node, call, sender(call, cancelled.signal), cancelled.signal).then(
      () => call.end(),
      (error: Error) => call.emit('error', statusOf(error, call.request.getOptions()!, node)),
    );
  };
}
