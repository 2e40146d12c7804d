import { BEGINNING, type Position } from '../../../../contracts/position';

interface LogPosition {
  getCommitPosition(): string;
  getPreparePosition(): string;
}

/**
 * A position of the port is the commit position: a byte offset in the transaction log of the server. Whatever is
 * appended over gRPC is written as records that are committed by themselves, so that commit and prepare position of an
 * event are one number (`AllReader` of the server), and a number is enough to go on from. Only events of an explicit
 * transaction of the retired TCP interface share a commit position; nothing in a store of ours was written that way.
 *
 * @throws RangeError beyond 2^53 (8 PiB of log)
 */
export function positionOf(log: LogPosition): Position {
  const position = Number(log.getCommitPosition());
  if (!Number.isSafeInteger(position))
    throw new RangeError(`position ${log.getCommitPosition()} is beyond 2^53`);
  return position;
}

/**
 * Whether a checkpoint is the position of an event. While it catches up, a server gives the end of a page instead:
 * commit position where the next event is or will be, prepare position 0. Taken for the position of an event, it would
 * hide that one.
 */
export function isOfEvent(log: LogPosition): boolean {
  return log.getCommitPosition() === log.getPreparePosition();
}

/** Where a read begins so that it covers everything beyond the position. */
export function fromAfter(position: Position): Position | 'start' {
  return position <= BEGINNING ? 'start' : position;
}
