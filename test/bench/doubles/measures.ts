import { figure, once } from '../figure';
import type { Row } from '../row';

/** A row that measures, and misses its goal. */
export const row: Row = async () => [
  figure({ what: 'a measured row', unit: '/s' }, once(2, 1), { of: 'ratio', atLeast: 3 }),
];
