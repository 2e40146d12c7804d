import { againstExpress } from '../against-express';
import type { Row } from '../row';

/** Of Express without anything, also where the caller has to be known. */
const GOAL = { of: 'ratio', atLeast: 0.75 } as const;

/** Each read endpoint, with the same request while nothing changes. */
export const row: Row = setting => againstExpress({ setting, named: read => read, goal: GOAL });
