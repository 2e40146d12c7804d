import { BEGINNING, type Position } from '../../../../contracts/position';
import type { Connection, ReadOptions } from './connection';
import { readEvents } from './read-responses';
import { positionOf } from './positions';
import { streamOf } from './recorded-events';
import { readAllRequest } from './read-requests';
import type { CategoryFilter } from './category-filter';

const PAGE_EVENTS = 100;

export interface IdleProgress {
  /** No event up to here matches the filter. */
  readonly reached: Position;
  /** The event after it matches. */
  readonly matchFollows: boolean;
}

/**
 * How far beyond a position no event matches the filter. It is a single read, so that one node answers: the head of one
 * node says nothing about the events of another, which may be behind.
 */
export async function idleProgress(
  connection: Connection,
  position: Position,
  filter: CategoryFilter,
): Promise<IdleProgress> {
  let reached = position;
  let isOwed = false;
  const request = readAllRequest(position, 'forwards', null, PAGE_EVENTS);
  for await (const batch of readEvents(connection, request, PAGE_EVENTS))
    for (const event of batch) {
      if (isOwed || positionOf(event) <= position) continue;
      isOwed = filter.matches(streamOf(event));
      if (!isOwed) reached = positionOf(event);
    }
  return { reached, matchFollows: isOwed };
}

/** Of the last event of any kind before a position, or of all. */
export async function positionBefore(
  connection: Connection,
  position: Position | 'end',
  options?: ReadOptions,
): Promise<Position> {
  let before = BEGINNING;
  const request = readAllRequest(position, 'backwards', null, 1);
  for await (const [last] of readEvents(connection, request, 1, options)) if (last) before = positionOf(last);
  return before;
}
