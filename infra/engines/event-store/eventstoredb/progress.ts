import { BEGINNING, type Position } from '../../../../contracts/position';
import type { Connection } from './connection';
import { answers } from './feed';
import { fromAfter, positionOf } from './positions';
import { eventOf, streamOf } from './records';
import { readAllRequest } from './requests';
import type { Selection } from './selection';

const MOST = 100;

export interface Progress {
  /** Nothing up to here is of the selection. */
  readonly reached: Position;
  /** The event after it is. */
  readonly isOwed: boolean;
}

/**
 * How far beyond a position nothing is of interest. One read tells, so that one node answers for all of it: a head
 * read from one node says nothing about the events of another, which may be behind.
 */
export async function progressBeyond(
  connection: Connection,
  position: Position,
  selection: Selection,
): Promise<Progress> {
  let reached = position;
  let isOwed = false;
  const request = readAllRequest(fromAfter(position), 'forwards', null, MOST);
  for await (const batch of answers(connection, request, MOST))
    for (const answer of batch) {
      const event = eventOf(answer);
      if (isOwed || !event || positionOf(event) <= position) continue;
      isOwed = selection.has(streamOf(event));
      if (!isOwed) reached = positionOf(event);
    }
  return { reached, isOwed };
}

/** Of the last event, whatever it is, before a place in the log. */
export async function positionBefore(connection: Connection, place: Position): Promise<Position> {
  let before = BEGINNING;
  for await (const batch of answers(connection, readAllRequest(place, 'backwards', null, 1), 1))
    for (const answer of batch) {
      const event = eventOf(answer);
      if (event) before = positionOf(event);
    }
  return before;
}
