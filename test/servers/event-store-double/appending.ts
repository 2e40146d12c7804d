import type {
  AppendResp as AppendResponse,
  BatchAppendResp as BatchResponse,
} from '@eventstore/db-client/generated/streams_pb';
import {
  AccessDenied,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  type UUID,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import {
  type AppendReq,
  AppendResp,
  type BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb';
import type { handleBidiStreamingCall, handleClientStreamingCall } from '@grpc/grpc-js';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import type { JsonObject } from '../../../contracts/json';
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

const packed = (message: { serializeBinary(): Uint8Array }, name: string): Status => {
  const details = new Any();
  details.pack(message.serializeBinary(), `event_store.client.${name}`);
  return new Status().setMessage(name).setDetails(details);
};

const statusOf = (error: unknown, stream: string): Status => {
  if (error instanceof WrongExpectedRevision) {
    const wrong = new WrongExpectedVersion();
    if (error.actual === null) wrong.setCurrentNoStream(empty());
    else wrong.setCurrentStreamRevision(String(error.actual));
    return packed(wrong, 'WrongExpectedVersion');
  }
  if (error instanceof StatusError)
    return packed(new StreamDeleted().setStreamIdentifier(identifier(stream)), 'StreamDeleted');
  return packed(empty(), 'Unknown').setMessage(String(error));
};

/** Why the node does not take an append at all; null when it does. */
const rejectionOf = ({ rejectsAppends, denied }: NodeState): Status | null => {
  if (denied === 'appends') return packed(new AccessDenied(), 'AccessDenied');
  return rejectsAppends === null ? null : packed(empty(), 'Empty').setMessage(rejectsAppends);
};

const batchSuccess = ({ revision, position }: AppendResult): BatchAppendResp.Success =>
  new BatchAppendResp.Success().setCurrentRevision(String(revision)).setPosition(allPosition(position));

interface Batch {
  readonly options: BatchAppendReq.Options;
  readonly events: NewEvent[];
  bytes: number;
}

/** Appends of one call are made in the order of their last messages, with a response as each completes. */
export function batchAppend(
  streams: Streams,
  node: NodeState,
): handleBidiStreamingCall<BatchAppendReq, BatchResponse> {
  return call => {
    const batches = new Map<string, Batch>();
    const appendBatch = async (correlation: UUID, { options, events, bytes }: Batch): Promise<void> => {
      const stream = nameOf(options);
      const response = new BatchAppendResp()
        .setCorrelationId(correlation)
        .setStreamIdentifier(identifier(stream));
      const rejection = rejectionOf(node);
      try {
        if (rejection) response.setError(rejection);
        else if (bytes > MAX_APPEND_BYTES)
          response.setError(
            packed(
              new MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES),
              'MaximumAppendSizeExceeded',
            ),
          );
        else
          response.setSuccess(
            batchSuccess(
              await streams.append(stream, expectedOf(options, options.getStreamPosition()), events),
            ),
          );
      } catch (error) {
        response.setError(statusOf(error, stream));
      }
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
      void appendBatch(correlation, batch);
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
