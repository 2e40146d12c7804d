import { formatPosition, type Position } from '../../contracts/position';
import { Problem } from '../../contracts/problem';
import { AsOfNotReady, BeyondHead, type AsOf, type Moment } from '../../projections/as-of/port';
import type { Views } from '../../projections/views';
import { WithHeaders } from '../http/binding';

/** As it stands in a request: text is an instant, a number is a position. */
type Asked = string | number;

/**
 * Answers from the ledger as it stood, with the position it stood at in `X-Ledger-Position`.
 * @param now RFC 3339 UTC with milliseconds
 * @throws Problem 400 for what has not been yet, 503 `not_ready`
 */
export async function readAsOf<Answer>(
  asOf: AsOf,
  asked: Asked,
  now: string,
  answer: (views: Views, position: Position) => Promise<Answer>,
): Promise<WithHeaders<Answer>> {
  // Within a millisecond that is not over more may be recorded.
  if (typeof asked === 'string' && asked >= now) throw wrong('must lie in the past');
  const moment: Moment = typeof asked === 'string' ? { instant: asked } : { position: asked };
  try {
    return await asOf.read(
      moment,
      async (views, position) =>
        new WithHeaders(await answer(views, position), { 'X-Ledger-Position': formatPosition(position) }),
    );
  } catch (error) {
    if (error instanceof BeyondHead) throw wrong(`must have been recorded: ${error.message}`);
    if (error instanceof AsOfNotReady) throw notReady(error);
    throw error;
  }
}

function wrong(message: string): Problem {
  return new Problem(400, 'invalid_request', `/body/asOf: ${message}`, {
    errors: [{ pointer: '/body/asOf', code: 'not_yet', message }],
  });
}

const notReady = ({ message }: AsOfNotReady): Problem =>
  new Problem(503, 'not_ready', `The ledger as it stood then is not at hand: ${message}. Try again.`, {
    headers: { 'Retry-After': '5' },
  });
