import { againstExpress } from '../against-express';
import type { Row } from '../row';

/** Ratio to bare Express with the same body, which does not change. */
const GOAL = { of: 'ratio', atLeast: 0.75 } as const;

/**
 * The full list of an owner of 200 jettons while a hundred of the balances a second change, each published to the log by another
 * process. The cost of folding the changes, in the process that serves, is included.
 */
export const row: Row = setting =>
  againstExpress({
    setting,
    wanted: read => read === '200 jettons',
    named: read => `${read}, 100 changes/s`,
    goal: GOAL,
    beside: ({ jettonOwner }) => ['programs/change-balances', jettonOwner],
  });
