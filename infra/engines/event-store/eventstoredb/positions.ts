import type { Position } from '../../../../contracts/position';

interface LogPosition {
  getCommitPosition(): string;
  getPreparePosition(): string;
}

/** 2^64-1. */
const NO_POSITION = String(2n ** 64n - 1n);

/** Some versions of the server send checkpoints, and acknowledge repeated appends, without a position. */
export function hasPosition(log: LogPosition): boolean {
  return log.getCommitPosition() !== NO_POSITION;
}

/**
 * A position of the port is the commit position: a byte offset in the transaction log of the server. Appends over gRPC
 * are written as records that are committed individually, so that the commit and prepare position of an event are equal
 * (`AllReader` of the server), and one number is enough to continue from. Only events of an explicit transaction of the
 * retired TCP interface share a commit position; this adapter never writes those.
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
 * Whether a checkpoint is the position of an event. While catching up, the server sends the end of a page instead, with
 * the commit position of the next event and prepare position 0. Used as the position of an event, it would hide that
 * event.
 */
export function isOfEvent(log: LogPosition): boolean {
  return log.getCommitPosition() === log.getPreparePosition();
}
