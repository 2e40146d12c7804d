import { againstExpress } from '../against-express';
import type { Row } from '../row';

const READS = ['history v3', 'Solana tokens', 'list_fee_ledger'];

/** Of a page whose rows are stored as they are served. */
const GOAL = { of: 'ratio', atLeast: 0.75 } as const;

/**
 * Reads of documents that another process changes all the time. No answer is cached: each is read, built and serialised
 * again.
 */
export const row: Row = setting =>
  againstExpress({
    setting,
    wanted: read => READS.includes(read),
    named: read => `${read}, changing`,
    goal: GOAL,
    hasGoal: read => read === 'history v3',
    changing: true,
  });
