import { StreamDeleted, WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb';
import type { Status } from '@eventstore/db-client/generated/status_pb';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { Draft } from '../draft';
import {
  type Appended,
  AppendTooLarge,
  WrongExpectedRevision,
} from '../../../../contracts/ports/event-store';
import { unavailable } from './faults';
import { positionOf } from './positions';

/** What the server has acknowledged; it does not always know any more where an append that is repeated stands. */
export type Acknowledged = Omit<Appended, 'position'> & { readonly position: Appended['position'] | null };

const NO_POSITION = String(2n ** 64n - 1n);

/** Of all its events together, and of one of them, where KurrentDB is set to limit that too. */
const TOO_LARGE = ['MaximumAppendSizeExceeded', 'MaximumAppendEventSizeExceeded'].map(
  name => `event_store.client.${name}`,
);

const refusal = ({ stream, expected }: Draft, status: Status): Error => {
  const details = status.getDetails();
  const name = details?.getTypeName();
  if (name === 'event_store.client.WrongExpectedVersion') {
    const found = details!.unpack(WrongExpectedVersion.deserializeBinary, name)!;
    const actual = found.hasCurrentStreamRevision() ? Number(found.getCurrentStreamRevision()) : null;
    return new WrongExpectedRevision(stream, expected, actual);
  }
  if (name === 'event_store.client.StreamDeleted' && details!.unpack(StreamDeleted.deserializeBinary, name))
    return new Error(`stream ${stream} was deleted for good`);
  if (name && TOO_LARGE.includes(name)) return new AppendTooLarge(stream);
  return unavailable(
    `it refuses an append (${status.getMessage() || name?.split('./eventstoredb').pop() || 'no reason given'})`,
  );
};

export function outcomeOf(draft: Draft, answer: BatchAppendResp): Acknowledged | Error {
  const success = answer.getSuccess();
  if (!success) return refusal(draft, answer.getError()!);
  const position = success.getPosition();
  const isKnown = position && position.getCommitPosition() !== NO_POSITION;
  return { revision: Number(success.getCurrentRevision()), position: isKnown ? positionOf(position) : null };
}
