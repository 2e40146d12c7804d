import { formatPosition, type Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { AsOfNotReady, BeyondHead, type AsOf, type Moment } from '../../../projections/as-of/port';
import type { Views } from '../../../projections/views';
import { Reply } from '../../http/call';

/** As in a request: text is an instant, a number is a position. */
type RequestedMoment = string | number;

/**
 * Reads from the ledger as of a moment, whose position is in `X-Ledger-Position`.
 * @param now RFC 3339 UTC with milliseconds
 * @throws Problem 400 for a moment in the future, 503 `not_ready`
 */
export async function readAsOf<Answer>(
  asOf: AsOf,
  requested: RequestedMoment,
  now: string,
  answer: (views: Views, position: Position) => Promise<Answer>,
): Promise<Reply<Answer>> {
  // More events may be recorded within the current millisecond.
  if (typeof requested === 'string' && requested >= now) throw wrong('must lie in the past');
  const moment: Moment = typeof requested === 'string' ? { instant: requested } : { position: requested };
  try {
    return await asOf.read(
      moment,
      async (views, position) =>
        new Reply(await answer(views, position), { 'X-Ledger-Position': formatPosition(position) }),
    );
  } catch (error) {
    if (error instanceof BeyondHead) throw wrong(`must have been recorded: ${error.message}`);
    if (error instanceof AsOfNotReady) throw notReady(error);
    throw error;
  }
}

function wrong(message: string): Problem {
  return Problem.invalid('/body/asOf', message, 'in_future');
}

const notReady = ({ message }: AsOfNotReady): Problem =>
  Problem.unavailable(`The ledger as of that moment is not available yet: ${message}. Try again.`, 5);
