import { Empty, UUID, WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb';
import type { Status } from '@eventstore/db-client/generated/status_pb';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import {
  type AppendResult,
  AppendTooLarge,
  WrongExpectedRevision,
} from '../../../../contracts/ports/event-store';
import type { ValidatedAppend, ValidatedEvent } from '../validate-append';
import { accessDenied, StreamIsDeleted, unavailable } from './errors';
import { hasPosition, positionOf } from './positions';
import { streamIdentifier } from './read-requests';

const proposed = ({ id, type, data, metadata }: ValidatedEvent): BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendReq.ProposedMessage()
    .setId(new UUID().setString(id))
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
};

const optionsOf = ({ stream, expected }: ValidatedAppend): BatchAppendReq.Options => {
  const options = new BatchAppendReq.Options().setStreamIdentifier(streamIdentifier(stream));
  switch (expected) {
    case 'no_stream':
      return options.setNoStream(new Empty());
    case 'stream_exists':
      return options.setStreamExists(new Empty());
    case 'any':
      return options.setAny(new Empty());
    default:
      return options.setStreamPosition(String(expected));
  }
};

/** The whole append in one message: it is at most as large as the port allows, far below what a server takes. */
export function batchAppendRequest(correlation: string, append: ValidatedAppend): BatchAppendReq {
  return new BatchAppendReq()
    .setCorrelationId(new UUID().setString(correlation))
    .setOptions(optionsOf(append))
    .setProposedMessagesList(append.events.map(proposed))
    .setIsFinal(true);
}

/** What the server acknowledged; it does not always know the position of a repeated append. */
export type Acknowledged = Omit<AppendResult, 'position'> & {
  readonly position: AppendResult['position'] | null;
};

/** Of the whole append, and of one event where KurrentDB limits that too. */
const TOO_LARGE = ['MaximumAppendSizeExceeded', 'MaximumAppendEventSizeExceeded'].map(
  name => `event_store.client.${name}`,
);

const errorOf = ({ stream, expected }: ValidatedAppend, status: Status): Error => {
  const details = status.getDetails();
  const name = details?.getTypeName();
  if (name === 'event_store.client.WrongExpectedVersion') {
    const found = details!.unpack(WrongExpectedVersion.deserializeBinary, name)!;
    const actual = found.hasCurrentStreamRevision() ? Number(found.getCurrentStreamRevision()) : null;
    return new WrongExpectedRevision(stream, expected, actual);
  }
  if (name === 'event_store.client.StreamDeleted')
    // Of a stream that was deleted softly, too.
    return expected === 'stream_exists'
      ? new WrongExpectedRevision(stream, expected, null)
      : new StreamIsDeleted(stream);
  if (name === 'event_store.client.AccessDenied') return accessDenied();
  if (name && TOO_LARGE.includes(name)) return new AppendTooLarge(stream);
  if (name === 'event_store.client.BadRequest')
    return new Error(`the event store rejected an append to ${stream}: ${status.getMessage()}`);
  return unavailable(
    `it rejected an append (${status.getMessage() || name?.split('.').pop() || 'no reason given'})`,
  );
};

/**
 * Whether the server does not know if it appended. It answers so to a repetition of an append that it has not indexed yet, as
 * well as without a quorum.
 */
export function isOutcomeUnknown(answer: BatchAppendResp): boolean {
  return answer.getError()?.getDetails()?.getTypeName() === 'event_store.client.Timeout';
}

/** @returns EngineUnavailable when the node takes no append at the moment, and the call stays open */
export function appendResult(append: ValidatedAppend, answer: BatchAppendResp): Acknowledged | Error {
  const success = answer.getSuccess();
  if (!success) return errorOf(append, answer.getError()!);
  const position = success.getPosition();
  return {
    revision: Number(success.getCurrentRevision()),
    position: position && hasPosition(position) ? positionOf(position) : null,
  };
}
