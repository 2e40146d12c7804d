import { Problem } from '../../contracts/problem';
import { parsePosition, type Position } from '../../contracts/position';
import type { Views } from '../../projections/views';

/** The position a caller has seen and wants to read from. @throws Problem 400 when the header is malformed */
export function minPosition(header: (name: string) => string | undefined): Position | null {
  const text = header('x-min-position');
  if (text === undefined) return null;
  const position = parsePosition(text);
  if (position !== null) return position;
  const message = 'a position as X-Ledger-Position gave it';
  throw new Problem(400, 'invalid_request', `/header/x-min-position: ${message}`, {
    errors: [{ pointer: '/header/x-min-position', code: 'invalid_position', message }],
  });
}

/** Waits until the collections have folded the position. @throws Problem 503 when they have not in time */
export async function caughtUp(
  views: Views,
  collections: readonly string[],
  position: Position | null,
  patience: number,
): Promise<void> {
  if (position === null) return;
  const reached = await Promise.all(collections.map(each => views.reached(each, position, patience)));
  if (reached.every(Boolean)) return;
  throw new Problem(503, 'not_ready', `The read model has not reached position ${position} yet; try again.`, {
    headers: { 'Retry-After': '1' },
  });
}
