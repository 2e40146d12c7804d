import { Problem } from '../../contracts/problem';
import type { Position } from '../../contracts/position';
import type { Views } from '../../projections/views';

/** Waits until the collections have folded the position. @throws Problem 503 when they have not in time */
export async function waitUntilFolded(
  views: Views,
  collections: readonly string[],
  position: Position | null,
  waitMs: number,
): Promise<void> {
  if (position === null) return;
  const reached = await Promise.all(collections.map(each => views.waitForPosition(each, position, waitMs)));
  if (reached.every(Boolean)) return;
  throw notReached(position);
}

export function notReached(position: Position): Problem {
  return Problem.unavailable(`What is read has not reached position ${position} yet; try again.`, 1);
}
