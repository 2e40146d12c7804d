import { Problem } from '../../contracts/problem/problem';
import type { Position } from '../../contracts/position';
import type { Views } from '../../projections/views';

/**
 * Waits until the collections have folded the position.
 * @param signal ends the wait: the client has gone away
 * @throws ProjectionBehind, ProjectionStopped; Problem 503 when they have not in time, and at once when nothing was recorded there
 */
export async function waitUntilFolded(
  views: Pick<Views, 'expectReadable' | 'waitForPosition'>,
  collections: readonly string[],
  position: Position | null,
  waitMs: number,
  signal?: AbortSignal,
): Promise<void> {
  if (position === null) return;
  await views.expectReadable(collections);
  const reached = await Promise.all(
    collections.map(each => views.waitForPosition(each, position, waitMs, signal)),
  );
  if (reached.every(Boolean)) return;
  throw notReached(position);
}

export function notReached(position: Position): Problem {
  return Problem.unavailable(`What is read has not reached position ${position} yet; try again.`, 1);
}

/** The same views, whose waits end with the signal. */
export function waitingUntil(views: Views, signal: AbortSignal): Views {
  return {
    ...views,
    waitForPosition: (collection, position, timeoutMs) =>
      views.waitForPosition(collection, position, timeoutMs, signal),
  };
}
