import { againstExpress } from '../against-express';
import type { Row } from '../row';

/** Ratio to bare Express, also for endpoints with authentication. */
const GOAL = { of: 'ratio', atLeast: 0.75 } as const;

/** Each read endpoint, with the same request and unchanged documents. */
export const row: Row = setting => againstExpress({ setting, named: read => read, goal: GOAL });
