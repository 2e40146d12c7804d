import type { CardVesting } from './vesting-state';

type Schedule = Pick<CardVesting, 'startPaymentsAt' | 'unlockPeriodSeconds'>;
type Payable = Schedule & Pick<CardVesting, 'deposited' | 'paidOut' | 'nextPeriod' | 'unlockAmountPerPeriod'>;

/** What is not paid out so far, in units of the currency. */
export function vestingBalance({ deposited, paidOut }: Pick<CardVesting, 'deposited' | 'paidOut'>): bigint {
  return BigInt(deposited) - BigInt(paidOut);
}

/** Periods that have ended at an instant. @param now RFC 3339 UTC instant */
export function periodsEnded({ startPaymentsAt, unlockPeriodSeconds }: Schedule, now: string): number {
  const elapsedMs = Date.parse(now) - Date.parse(startPaymentsAt);
  return Math.max(0, Math.floor(elapsedMs / (unlockPeriodSeconds * 1_000)));
}

/** Payouts that are left; the last one may be of less. */
export function payoutsRemaining(vesting: Payable): bigint {
  const unlocked = BigInt(vesting.unlockAmountPerPeriod);
  return (vestingBalance(vesting) + unlocked - 1n) / unlocked;
}

/** RFC 3339 UTC instant at which the next period ends; null while there is nothing to pay out. */
export function nextPayoutAt(vesting: Payable): string | null {
  if (vestingBalance(vesting) === 0n) return null;
  const { startPaymentsAt, unlockPeriodSeconds, nextPeriod } = vesting;
  return new Date(Date.parse(startPaymentsAt) + nextPeriod * unlockPeriodSeconds * 1_000).toISOString();
}

/** What is to be paid out at an instant, for how many periods; null for nothing. */
export function payoutDue(
  vesting: Payable,
  now: string,
): { readonly periods: number; readonly amount: bigint } | null {
  const ended = BigInt(periodsEnded(vesting, now) - vesting.nextPeriod + 1);
  const remaining = payoutsRemaining(vesting);
  const periods = ended < remaining ? ended : remaining;
  if (periods <= 0n) return null;
  const [unlocked, balance] = [periods * BigInt(vesting.unlockAmountPerPeriod), vestingBalance(vesting)];
  return { periods: Number(periods), amount: unlocked < balance ? unlocked : balance };
}
