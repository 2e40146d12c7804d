import type { Age } from '../retention/retention';
import type { RemovalTimes } from './decider';

export const ACCOUNT_HISTORY: Age = {
  name: 'account_history',
  of: 'the history of an account, so long after its last watch has ended',
  days: 90,
};

const DAY_MS = 86_400_000;
/** What a read waits for at most when the worker of a removal was killed, but for the grace. */
const CLAIM_MS = 120_000;

/**
 * @param days after the end of the last watch
 * @param graceMs milliseconds that a record may take to the log
 */
export function removalTimes(days: number, graceMs: number): RemovalTimes {
  return { removeAfterMs: days * DAY_MS, claimMs: CLAIM_MS, graceMs };
}
