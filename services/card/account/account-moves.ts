import type { CardAccountState } from '../../../contracts/events/card-account';

const MOVES: Readonly<Record<CardAccountState, readonly CardAccountState[]>> = {
  PENDING: ['PENDING_CONTRACT', 'ACTIVE', 'CLOSED', 'MANUALLY_CLOSED'],
  PENDING_CONTRACT: ['ACTIVE', 'CLOSED', 'MANUALLY_CLOSED'],
  ACTIVE: ['SUSPENDED', 'CLOSED', 'MANUALLY_CLOSED'],
  SUSPENDED: ['ACTIVE', 'CLOSED', 'MANUALLY_CLOSED'],
  MANUALLY_CLOSED: [],
  CLOSED: [],
};

/** Whether an account of one state may become one of another. */
export function canMove(from: CardAccountState, to: CardAccountState): boolean {
  return MOVES[from].includes(to);
}
