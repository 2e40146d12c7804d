import type { CardVestingEvent } from '../../contracts/events/card-vesting';

type Opened = Extract<CardVestingEvent, { type: 'CardVestingOpened' }>['data'];

/** A vesting account: what its creator deposits is paid out to its beneficiary, an amount each time that a period ends. */
export type CardVesting = Omit<Opened, 'at'> & {
  readonly createdAt: string;
  /** Sums, in units of the currency. */
  readonly deposited: string;
  readonly paidOut: string;
  /** Number of payouts. */
  readonly payouts: number;
  /** The first period, from 1, that is not paid out so far. */
  readonly nextPeriod: number;
  /** Transactions that were deposited. */
  readonly depositIds: readonly string[];
};

/** The account after an event; decisions and documents are made from the same. */
export function vestingAfter(
  before: CardVesting | null,
  { type, data }: CardVestingEvent,
): CardVesting | null {
  if (type === 'CardVestingOpened') {
    const { at, ...facts } = data;
    const nothing = { deposited: '0', paidOut: '0', payouts: 0, nextPeriod: 1, depositIds: [] };
    return { ...facts, createdAt: at, ...nothing };
  }
  if (!before) return null; // only in a stream that was cut
  if (type === 'CardVestingDeposited') {
    const { amount, nextPeriod, transactionId } = data;
    return {
      ...before,
      deposited: sum(before.deposited, amount),
      nextPeriod,
      depositIds: [...before.depositIds, transactionId],
    };
  }
  const { number, amount, fromPeriod, periods } = data;
  return {
    ...before,
    paidOut: sum(before.paidOut, amount),
    payouts: number,
    nextPeriod: fromPeriod + periods,
  };
}

const sum = (a: string, b: string): string => (BigInt(a) + BigInt(b)).toString();
