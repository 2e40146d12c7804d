import { againstExpress } from '../against-express';
import { STAKE_READS } from '../fill/requests';
import type { Row } from '../row';

/** Ratio to bare Express with the same body, which does not change. */
const GOAL = { of: 'ratio', atLeast: 0.75 } as const;

/**
 * What a member has in ten pools, and what it has moved and earned in one, while each stake changes once a second and a deposit
 * a second arrives, each published to the log by another process. The cost of folding the changes is included.
 */
export const row: Row = setting =>
  againstExpress({
    setting,
    wanted: read => STAKE_READS.includes(read),
    named: read => `${read}, 10 changes/s`,
    goal: GOAL,
    beside: ({ stakes: { deposits, newest } }) => [
      'programs/change-stakes',
      String(deposits),
      newest.lt,
      newest.hash,
    ],
  });
