import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { Position } from '../../../contracts/position';
import type { ServerLog } from './server-log';

/** No record begins at the position. */
export class NoRecord extends Error {}

interface GivenPosition {
  readonly position: Position;
  /** Of the log: the server takes any such position, whether or not a record could be there. */
  readonly isBeyondEnd: boolean;
}

/** From where a client reads or subscribes; null when that is the start or the end. @throws NoRecord */
export async function givenPosition(
  log: Pick<ServerLog, 'next' | 'isReadable'>,
  all: ReadReq.Options.AllOptions,
): Promise<GivenPosition | null> {
  if (!all.hasPosition()) return null;
  const position = Number(all.getPosition()!.getCommitPosition());
  const isBeyondEnd = position > (await log.next());
  if (!isBeyondEnd && !log.isReadable(position)) throw new NoRecord();
  return { position, isBeyondEnd };
}
