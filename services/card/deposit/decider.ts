import type { CommandMetadata } from '../../../contracts/decider';
import { cardDepositEvents, type CardDepositEvent } from '../../../contracts/events/card-deposit';
import type { StreamKind } from '../../commands/stream-kind';

export type CardDeposit = CardDepositEvent['data'];

interface Assign {
  readonly metadata: CommandMetadata;
  readonly deposit: Omit<CardDeposit, 'at'>;
}

/** An address belongs to one account for good. */
export const cardDepositKind: StreamKind<CardDeposit | null, Assign, CardDepositEvent> = {
  events: cardDepositEvents,
  decider: {
    initial: () => null,
    evolve: (_, { data }) => data,
    decide: (state, { deposit, metadata }) =>
      state ? [] : [{ type: 'CardDepositAssigned', data: { ...deposit, at: metadata.now } }],
  },
};
