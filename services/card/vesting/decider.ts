import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import { cardVestingEvents, type CardVestingEvent } from '../../../contracts/events/card-vesting';
import { payoutDue, periodsEnded, vestingBalance } from '../../../projections/card/vesting-schedule';
import { vestingAfter, type CardVesting } from '../../../projections/card/vesting-state';
import type { StreamKind } from '../../commands/stream-kind';

export type CardVestingOpening = Omit<Extract<CardVestingEvent, { type: 'CardVestingOpened' }>['data'], 'at'>;

export type CardVestingCommand = { readonly metadata: CommandMetadata } & (
  | {
      readonly type: 'open';
      readonly vesting: CardVestingOpening;
      /** Vesting accounts of the creator, as far as is known. */
      readonly all: number;
      /** Whether the beneficiary may be paid by one more of the creator, as far as is known. */
      readonly hasPlace: boolean;
    }
  /** It was sent by the creator: never refused. */
  | { readonly type: 'deposit'; readonly transactionId: string; readonly amount: string }
  /** For the periods that have ended by now. */
  | { readonly type: 'payOut' }
);

/** Of a creator, for good. */
export const MAX_VESTINGS = 20;
/** That pay to one beneficiary, of all other creators, for good: it has not asked for them. */
export const MAX_RECEIVED_VESTINGS = 80;
/** Of a vesting account, for good: all are read at each decision. */
export const MAX_DEPOSITS = 500;
const MAX_START_MS = 10 * 366 * 86_400_000;

/**
 * A vesting account. A payout happens once for each period, however often and however late it is asked for: what has become due
 * is paid before anything is deposited, so that the end depends on the deposits and their times alone.
 */
export const cardVestingKind: StreamKind<CardVesting | null, CardVestingCommand, CardVestingEvent> = {
  events: cardVestingEvents,
  decider: {
    initial: () => null,
    evolve: vestingAfter,
    decide(state, command) {
      if (command.type === 'open') return open(state, command);
      if (!state) return refuse('card_account_not_found', 'There is no such vesting account.');
      return command.type === 'payOut' ? payOut(state, command.metadata) : deposit(state, command);
    },
  },
};

type CommandOf<Type extends CardVestingCommand['type']> = Extract<
  CardVestingCommand,
  { readonly type: Type }
>;

function open(
  state: CardVesting | null,
  { vesting, all, hasPlace, metadata }: CommandOf<'open'>,
): readonly CardVestingEvent[] | Refusal {
  if (state) return [];
  if (Date.parse(vesting.startPaymentsAt) - Date.parse(metadata.now) > MAX_START_MS)
    return refuse('card_vesting_invalid', 'Payments start within ten years.');
  if (all >= MAX_VESTINGS)
    return refuse(
      'too_many_card_vestings',
      `A card holder creates at most ${MAX_VESTINGS} vesting accounts.`,
    );
  if (!hasPlace)
    return refuse(
      'too_many_card_vestings',
      `A card holder is paid by at most ${MAX_RECEIVED_VESTINGS} vesting accounts of others, of which one may have a quarter of what the others leave.`,
    );
  return [{ type: 'CardVestingOpened', data: { ...vesting, at: metadata.now } }];
}

function payOut(state: CardVesting, metadata: CommandMetadata): readonly CardVestingEvent[] {
  const due = payoutDue(state, metadata.now);
  if (!due) return [];
  const data = {
    ...factsOf(state, metadata),
    number: state.payouts + 1,
    fromPeriod: state.nextPeriod,
    periods: due.periods,
    amount: due.amount.toString(),
    currency: state.currency.ticker,
    beneficiaryAccountId: state.beneficiary.accountId,
  };
  return [{ type: 'CardVestingPaidOut', data }];
}

function deposit(
  state: CardVesting,
  { transactionId, amount, metadata }: CommandOf<'deposit'>,
): readonly CardVestingEvent[] {
  if (state.depositIds.includes(transactionId)) return [];
  const paid = payOut(state, metadata);
  const before = paid.reduce<CardVesting | null>(vestingAfter, state)!;
  const isEmpty = vestingBalance(before) === 0n;
  const nextPeriod = isEmpty
    ? Math.max(before.nextPeriod, periodsEnded(state, metadata.now) + 1)
    : before.nextPeriod;
  const data = { ...factsOf(state, metadata), transactionId, amount, nextPeriod };
  return [...paid, { type: 'CardVestingDeposited', data }];
}

function factsOf({ vestingId, network, userId, beneficiary }: CardVesting, { now }: CommandMetadata) {
  return { vestingId, network, userId, at: now, beneficiaryUserId: beneficiary.userId };
}
