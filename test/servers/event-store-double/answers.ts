import { AllStreamPosition, Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { Position } from '../../../contracts/position';
import type { RecordedEvent } from '../../../infra/event-store/port';
import { toLog } from './log-position';

const ReadEvent = ReadResp.ReadEvent;

const TICKS_PER_MILLISECOND = 10_000;

const isJson = (event: RecordedEvent): boolean => !event.type.startsWith('$');

export const identifier = (stream: string): StreamIdentifier =>
  new StreamIdentifier().setStreamName(Buffer.from(stream));

export const allPosition = (position: Position): AllStreamPosition =>
  new AllStreamPosition().setCommitPosition(toLog(position)).setPreparePosition(toLog(position));

export const eventAnswer = (event: RecordedEvent): ReadResp => {
  const recorded = new ReadEvent.RecordedEvent()
    .setId(new UUID().setString(event.id))
    .setStreamIdentifier(identifier(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(toLog(event.position))
    .setPreparePosition(toLog(event.position))
    .setData(Buffer.from(JSON.stringify(event.data)))
    .setCustomMetadata(Buffer.from(JSON.stringify(event.metadata)));
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', isJson(event) ? 'application/json' : 'application/octet-stream')
    .set('created', String(Date.parse(event.created) * TICKS_PER_MILLISECOND));
  return new ReadResp().setEvent(new ReadEvent().setEvent(recorded).setCommitPosition(toLog(event.position)));
};

const checkpoint = (commit: string, prepare: string): ReadResp =>
  new ReadResp().setCheckpoint(
    new ReadResp.Checkpoint().setCommitPosition(commit).setPreparePosition(prepare),
  );

export const checkpointAnswer = (position: Position): ReadResp =>
  checkpoint(toLog(position), toLog(position));

/** As servers mark the end of a page: the place after the event, where the next one is or will be. */
export const pageEndAnswer = (position: Position): ReadResp => checkpoint(toLog(position + 1), '0');

export const confirmationAnswer = (id: string): ReadResp =>
  new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(id));

export const caughtUpAnswer = (): ReadResp => new ReadResp().setCaughtUp(new ReadResp.CaughtUp());

export const streamNotFoundAnswer = (stream: string): ReadResp =>
  new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(identifier(stream)));

export const empty = (): Empty => new Empty();
