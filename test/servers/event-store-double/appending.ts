import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type {
  AppendResp as AppendResponse,
  BatchAppendResp as BatchResponse,
} from '@eventstore/db-client/generated/streams_pb';
import {
  AccessDenied,
  BadRequest,
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
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb';
import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type Metadata,
  status,
} from '@grpc/grpc-js';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import {
  type AppendResult,
  type ExpectedRevision,
  type NewEvent,
  WrongExpectedRevision,
} from '../../../contracts/ports/event-store';
import { toStored } from './content';
import { allPosition, empty, identifier } from './responses';
import { StatusError } from './status-error';
import { accessDenied, assertLeads, codeOf, type NodeState } from './node-state';
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

/** What an append without events is answered: where the stream is. */
const nothingAppended = (revision: number | null): BatchAppendResp.Success => {
  const success = new BatchAppendResp.Success().setNoPosition(empty());
  return revision === null ? success.setNoStream(empty()) : success.setCurrentRevision(String(revision));
};

const eventOf = (message: Proposed): NewEvent => {
  const metadata = message.getCustomMetadata_asU8();
  return {
    id: message.getId()!.getString(),
    type: message.getMetadataMap().get('type') ?? '',
    data: toStored(message.getData_asU8(), message.getMetadataMap().get('content-type')),
    ...(metadata.length > 0 && { metadata: toStored(metadata) }),
  };
};

/** The server counts no metadata. */
const sizeOf = (message: Proposed): number => message.getData_asU8().length;

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

const batchSuccess = ({ revision, position }: AppendResult, node: NodeState): BatchAppendResp.Success => {
  const success = new BatchAppendResp.Success().setCurrentRevision(String(revision));
  return node.hasNoPositions ? success.setNoPosition(empty()) : success.setPosition(allPosition(position));
};

interface Batch {
  readonly options: BatchAppendReq.Options;
  readonly messages: BatchAppendReq.ProposedMessage[];
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What is missing in an append, or no such value; null when nothing is. */
const faultOf = ({ options, messages }: Batch): string | null => {
  if (!options.getStreamIdentifier()?.getStreamName_asU8().length) return 'stream identifier';
  const { EXPECTED_STREAM_POSITION_NOT_SET } = BatchAppendReq.Options.ExpectedStreamPositionCase;
  if (options.getExpectedStreamPositionCase() === EXPECTED_STREAM_POSITION_NOT_SET)
    return 'expected stream position';
  for (const message of messages) {
    const id = message.getId()?.getString() ?? NO_ID;
    if (id === NO_ID || !ID.test(id)) return 'id';
    for (const name of ['type', 'content-type']) if (!message.getMetadataMap().get(name)) return name;
  }
  return null;
};

const badRequest = (fault: string): Status =>
  packed(Code.INVALID_ARGUMENT, new BadRequest().setMessage(`${fault} is missing or invalid`), 'BadRequest');

const timedOut = (): Status => packed(Code.DEADLINE_EXCEEDED, new Timeout(), 'Timeout');

const tooLarge = (): Status =>
  packed(
    Code.INVALID_ARGUMENT,
    new MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES),
    'MaximumAppendSizeExceeded',
  );

/** Appends that are being made by a node. */
export interface InFlight {
  /** The server drops the repetition of a write that is not indexed yet, and never learns what became of it. */
  once(
    stream: string,
    events: readonly NewEvent[],
    append: () => Promise<AppendResult>,
  ): Promise<AppendResult | 'unknown'>;
}

export function newInFlight(node: NodeState): InFlight {
  const keys = new Set<string>();
  return {
    once: async (stream, events, append) => {
      const key = JSON.stringify([stream, events.map(({ id }) => id)]);
      if (keys.has(key)) {
        await pause(node.commitTimeoutMs);
        return 'unknown';
      }
      keys.add(key);
      // What arrived together is in flight together; the order stays.
      await turn();
      try {
        return await append();
      } finally {
        keys.delete(key);
      }
    },
  };
}

/** Appends of one call are made in the order of their last messages, with a response as each completes. */
export function batchAppend(
  streams: Streams,
  node: NodeState,
  inFlight: InFlight,
): handleBidiStreamingCall<BatchAppendReq, BatchResponse> {
  const appendBatch = async ({ options, messages }: Batch): Promise<BatchAppendResp.Success | Status> => {
    const rejection = rejectionOf(node);
    if (rejection) return rejection;
    if (messages.reduce((bytes, message) => bytes + sizeOf(message), 0) > MAX_APPEND_BYTES) return tooLarge();
    const stream = nameOf(options);
    const events = messages.map(eventOf);
    const expected = expectedOf(options, options.getStreamPosition());
    try {
      if (events.length === 0) return nothingAppended(await streams.lastRevision(stream));
      const appended = await inFlight.once(stream, events, () => streams.append(stream, expected, events));
      if (appended === 'unknown') return timedOut();
      return batchSuccess(appended, node);
    } catch (error) {
      return statusOf(error, stream);
    }
  };

  return call => {
    const batches = new Map<string, Batch>();
    let pending = 0;
    /** Responses until it ends, once it is half closed. */
    let leftToSend = Infinity;
    const respond = (
      correlation: UUID,
      { options }: Batch,
      outcome: BatchAppendResp.Success | Status,
    ): void => {
      const response = new BatchAppendResp()
        .setCorrelationId(correlation)
        .setStreamIdentifier(options.getStreamIdentifier());
      if (outcome instanceof Status) response.setError(outcome);
      else response.setSuccess(outcome);
      if (call.cancelled || call.writableEnded) return;
      call.write(response);
      leftToSend -= 1;
      if (leftToSend === 0) call.end();
    };
    const answer = async (correlation: UUID, batch: Batch): Promise<void> => {
      pending += 1;
      const fault = faultOf(batch);
      if (fault !== null) {
        respond(correlation, batch, badRequest(fault));
        // The server has also begun to wait for an append that is never made.
        await pause(node.commitTimeoutMs);
      }
      const outcome = fault === null ? await appendBatch(batch) : timedOut();
      pending -= 1;
      respond(correlation, batch, outcome);
    };
    call.on('data', (message: BatchAppendReq): void => {
      if (node.isSilent) return;
      if (node.endsAppendCalls) return void call.end();
      const correlation = message.getCorrelationId()!;
      const options = message.getOptions();
      if (options) batches.set(correlation.getString(), { options, messages: [] });
      const batch = batches.get(correlation.getString());
      if (!batch) return;
      batch.messages.push(...message.getProposedMessagesList());
      if (!message.getIsFinal()) return;
      batches.delete(correlation.getString());
      void answer(correlation, batch);
    });
    call.on('error', () => undefined);
    call.on('end', () => {
      // It stays open for as long as the connection does.
      if (pending === 0) return;
      // The rest is lost: before 24.2 all but the next one.
      leftToSend = node.release === '24.2' ? Math.max(pending - 1, 1) : 1;
    });
  };
}

const wrongVersionResponse = ({ expected, actual }: WrongExpectedRevision): AppendResp => {
  const wrong = new AppendResp.WrongExpectedVersion();
  if (expected === 'no_stream') wrong.setExpectedNoStream(empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(empty());
  else if (expected === 'any') wrong.setExpectedAny(empty());
  else wrong.setExpectedRevision(String(expected));
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

/** @throws StatusError when the node does not take the append */
const assertTakes = (node: NodeState, metadata: Metadata): void => {
  if (node.denied === 'appends') throw accessDenied();
  if (node.rejectsAppends !== null) throw new StatusError(codeOf(node.rejectsAppends), node.rejectsAppends);
  assertLeads(node, metadata);
};

/** One append, which is made once the client has sent all of it. */
export function append(
  streams: Streams,
  node: NodeState,
  inFlight: InFlight,
): handleClientStreamingCall<AppendReq, AppendResponse> {
  return (call, respond) => {
    let options: AppendReq.Options | undefined;
    const events: NewEvent[] = [];
    let bytes = 0;
    const make = async (): Promise<AppendResp> => {
      assertTakes(node, call.metadata);
      if (bytes > MAX_APPEND_BYTES)
        throw new StatusError(
          status.INVALID_ARGUMENT,
          `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`,
          {
            exception: 'maximum-append-size-exceeded',
            'maximum-append-size': String(MAX_APPEND_BYTES),
          },
        );
      const stream = nameOf(options!);
      const expected = expectedOf(options!, options!.getRevision());
      const appended = await inFlight.once(stream, events, () => streams.append(stream, expected, events));
      if (appended === 'unknown') throw new StatusError(status.ABORTED, 'Operation timed out');
      return successResponse(appended);
    };
    call.on('data', (message: AppendReq) => {
      options ??= message.getOptions();
      const proposed = message.getProposedMessage();
      if (!proposed) return;
      bytes += sizeOf(proposed);
      events.push(eventOf(proposed));
    });
    call.on('error', () => undefined);
    call.on('end', () => {
      void make().then(
        response => respond(null, response),
        error =>
          error instanceof WrongExpectedRevision
            ? respond(null, wrongVersionResponse(error))
            : respond(error as Error),
      );
    });
  };
}
