import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type {
  AppendResp as AppendResponse,
  BatchAppendResp as BatchResponse,
} from '@eventstore/db-client/generated/streams_pb';
import {
  AccessDenied,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  Timeout,
  type UUID,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb';
import { Code } from '@eventstore/db-client/generated/code_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import {
  type AppendReq,
  AppendResp,
  type BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb';
import type { handleBidiStreamingCall, handleClientStreamingCall } from '@grpc/grpc-js';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import type { JsonObject } from '../../../contracts/json/json';
import {
  type AppendResult,
  type ExpectedRevision,
  type NewEvent,
  WrongExpectedRevision,
} from '../../../contracts/ports/event-store';
import { allPosition, empty, identifier } from './responses';
import { StatusError } from './status-error';
import type { NodeState } from './node-state';
import type { Streams } from './streams';

/** The default of the server. */
const MAX_APPEND_BYTES = 1024 * 1024;

type Proposed = AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage;

interface Expecting {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

export function expectedOf(options: Expecting, revision: string): ExpectedRevision {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  return options.hasStreamExists() ? 'stream_exists' : Number(revision);
}

const parse = (bytes: Uint8Array): JsonObject => JSON.parse(Buffer.from(bytes).toString()) as JsonObject;

const eventOf = (message: Proposed): NewEvent => {
  const metadata = message.getCustomMetadata_asU8();
  return {
    id: message.getId()!.getString(),
    type: message.getMetadataMap().get('type') ?? '',
    data: parse(message.getData_asU8()),
    ...(metadata.length > 0 && { metadata: parse(metadata) }),
  };
};

const sizeOf = (message: Proposed): number =>
  message.getData_asU8().length + message.getCustomMetadata_asU8().length;

const nameOf = (options: { getStreamIdentifier(): ReturnType<typeof identifier> | undefined }): string =>
  Buffer.from(options.getStreamIdentifier()!.getStreamName_asU8()).toString();

type StatusCode = Parameters<Status['setCode']>[0];

const packed = (code: StatusCode, message: { serializeBinary(): Uint8Array }, name: string): Status => {
  const details = new Any();
  details.pack(message.serializeBinary(), `event_store.client.${name}`);
  return new Status().setCode(code).setMessage(name).setDetails(details);
};

const wrongVersion = ({ expected, actual }: WrongExpectedRevision): WrongExpectedVersion => {
  const wrong = new WrongExpectedVersion();
  if (expected === 'no_stream') wrong.setExpectedNoStream(empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(empty());
  else if (expected === 'any') wrong.setExpectedAny(empty());
  else wrong.setExpectedStreamPosition(String(expected));
  return actual === null ? wrong.setCurrentNoStream(empty()) : wrong.setCurrentStreamRevision(String(actual));
};

const statusOf = (error: unknown, stream: string): Status => {
  if (error instanceof WrongExpectedRevision)
    return packed(Code.ALREADY_EXISTS, wrongVersion(error), 'WrongExpectedVersion');
  if (error instanceof StatusError)
    return packed(
      Code.NOT_FOUND,
      new StreamDeleted().setStreamIdentifier(identifier(stream)),
      'StreamDeleted',
    );
  return packed(Code.UNKNOWN, empty(), 'Unknown').setMessage(String(error));
};

/** Why the node does not take an append at all; null when it does. */
const rejectionOf = ({ rejectsAppends, denied }: NodeState): Status | null => {
  if (denied === 'appends') return packed(Code.PERMISSION_DENIED, new AccessDenied(), 'AccessDenied');
  return rejectsAppends === null
    ? null
    : packed(Code.UNAVAILABLE, empty(), 'Empty').setMessage(rejectsAppends);
};

const batchSuccess = ({ revision, position }: AppendResult): BatchAppendResp.Success =>
  new BatchAppendResp.Success().setCurrentRevision(String(revision)).setPosition(allPosition(position));

interface Batch {
  readonly options: BatchAppendReq.Options;
  readonly events: NewEvent[];
  bytes: number;
}

const tooLarge = (): Status =>
  packed(
    Code.INVALID_ARGUMENT,
    new MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES),
    'MaximumAppendSizeExceeded',
  );

/** Appends of one call are made in the order of their last messages, with a response as each completes. */
export function batchAppend(
  streams: Streams,
  node: NodeState,
): handleBidiStreamingCall<BatchAppendReq, BatchResponse> {
  const inFlight = new Set<string>();

  const appendBatch = async ({
    options,
    events,
    bytes,
  }: Batch): Promise<BatchAppendResp.Success | Status> => {
    const stream = nameOf(options);
    const rejection = rejectionOf(node);
    if (rejection) return rejection;
    if (bytes > MAX_APPEND_BYTES) return tooLarge();
    const key = JSON.stringify([stream, events.map(({ id }) => id)]);
    if (inFlight.has(key)) {
      // The server drops the repetition of a write that is not indexed yet, and never learns what became of it.
      await pause(node.commitTimeoutMs);
      return packed(Code.DEADLINE_EXCEEDED, new Timeout(), 'Timeout');
    }
    inFlight.add(key);
    // What arrived together is in flight together; the order stays.
    await turn();
    try {
      return batchSuccess(
        await streams.append(stream, expectedOf(options, options.getStreamPosition()), events),
      );
    } catch (error) {
      return statusOf(error, stream);
    } finally {
      inFlight.delete(key);
    }
  };

  return call => {
    const batches = new Map<string, Batch>();
    const answer = async (correlation: UUID, batch: Batch): Promise<void> => {
      const outcome = await appendBatch(batch);
      const response = new BatchAppendResp()
        .setCorrelationId(correlation)
        .setStreamIdentifier(identifier(nameOf(batch.options)));
      if (outcome instanceof Status) response.setError(outcome);
      else response.setSuccess(outcome);
      if (!call.cancelled) call.write(response);
    };
    call.on('data', (message: BatchAppendReq) => {
      const correlation = message.getCorrelationId()!;
      const options = message.getOptions();
      if (options) batches.set(correlation.getString(), { options, events: [], bytes: 0 });
      const batch = batches.get(correlation.getString());
      if (!batch) return;
      for (const proposed of message.getProposedMessagesList()) {
        batch.events.push(eventOf(proposed));
        batch.bytes += sizeOf(proposed);
      }
      if (!message.getIsFinal()) return;
      batches.delete(correlation.getString());
      void answer(correlation, batch);
    });
    call.on('error', () => undefined);
    call.on('end', () => call.end());
  };
}

const wrongVersionResponse = ({ actual }: WrongExpectedRevision): AppendResp => {
  const wrong = new AppendResp.WrongExpectedVersion();
  if (actual === null) wrong.setCurrentNoStream(empty());
  else wrong.setCurrentRevision(String(actual));
  return new AppendResp().setWrongExpectedVersion(wrong);
};

const successResponse = ({ revision, position }: AppendResult): AppendResp => {
  const all = allPosition(position);
  return new AppendResp().setSuccess(
    new AppendResp.Success()
      .setCurrentRevision(String(revision))
      .setPosition(
        new AppendResp.Position()
          .setCommitPosition(all.getCommitPosition())
          .setPreparePosition(all.getPreparePosition()),
      ),
  );
};

export function append(streams: Streams): handleClientStreamingCall<AppendReq, AppendResponse> {
  return (call, respond) => {
    let options: AppendReq.Options | undefined;
    const events: NewEvent[] = [];
    call.on('data', (message: AppendReq) => {
      options ??= message.getOptions();
      const proposed = message.getProposedMessage();
      if (proposed) events.push(eventOf(proposed));
    });
    call.on('error', () => undefined);
    call.on('end', () => {
      void streams.append(nameOf(options!), expectedOf(options!, options!.getRevision()), events).then(
        appended => respond(null, successResponse(appended)),
        error =>
          error instanceof WrongExpectedRevision
            ? respond(null, wrongVersionResponse(error))
            : respond(error as Error),
      );
    });
  };
}
