import { AllStreamPosition, Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { Position } from '../../../contracts/position';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import { fromStored } from './content';

const ReadEvent = ReadResp.ReadEvent;

const TICKS_PER_MILLISECOND = 10_000;

/** The type of the event, without content, that is the last one of a stream that was deleted for good. */
export const TOMBSTONE = '$streamDeleted';
const TOMBSTONE_REVISION = String(2n ** 63n - 1n);

export function identifier(stream: string): StreamIdentifier {
  return new StreamIdentifier().setStreamName(Buffer.from(stream));
}

export function allPosition(position: Position): AllStreamPosition {
  return new AllStreamPosition().setCommitPosition(String(position)).setPreparePosition(String(position));
}

export function eventResponse(event: RecordedEvent): ReadResp {
  const { bytes, contentType } = fromStored(event.data);
  const isTombstone = event.type === TOMBSTONE;
  const recorded = new ReadEvent.RecordedEvent()
    .setId(new UUID().setString(event.id))
    .setStreamIdentifier(identifier(event.stream))
    .setStreamRevision(isTombstone ? TOMBSTONE_REVISION : String(event.revision))
    .setCommitPosition(String(event.position))
    .setPreparePosition(String(event.position))
    .setData(isTombstone ? '' : bytes)
    .setCustomMetadata(fromStored(event.metadata).bytes);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', isTombstone ? 'application/octet-stream' : contentType)
    .set('created', String(Date.parse(event.created) * TICKS_PER_MILLISECOND));
  return new ReadResp().setEvent(
    new ReadEvent().setEvent(recorded).setCommitPosition(String(event.position)),
  );
}

const checkpoint = (commit: string, prepare: string): ReadResp =>
  new ReadResp().setCheckpoint(
    new ReadResp.Checkpoint().setCommitPosition(commit).setPreparePosition(prepare),
  );

export function checkpointResponse(position: Position): ReadResp {
  return checkpoint(String(position), String(position));
}

/** Where a page of catching up begins, which is behind the record before it: no position of an event. */
export function pageStartResponse(first: Position | 'start'): ReadResp {
  return checkpoint(first === 'start' ? '0' : String(first), '0');
}

/** Some versions send it as long as nothing has matched. */
export function emptyCheckpointResponse(): ReadResp {
  const nowhere = String(2n ** 64n - 1n);
  return checkpoint(nowhere, nowhere);
}

export function confirmationResponse(id: string): ReadResp {
  return new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(id));
}

export function caughtUpResponse(): ReadResp {
  return new ReadResp().setCaughtUp(new ReadResp.CaughtUp());
}

export function streamNotFoundResponse(stream: string): ReadResp {
  return new ReadResp().setStreamNotFound(
    new ReadResp.StreamNotFound().setStreamIdentifier(identifier(stream)),
  );
}

export function empty(): Empty {
  return new Empty();
}
