import { PROJECTIONS } from '../../../infra/program/features';
import type { Projection } from '../../../projections/projection';

/** Of TON transactions, as the program has it. */
export function historyProjection(): Projection {
  return PROJECTIONS.find(({ name }) => name === 'ton-transactions')!;
}
