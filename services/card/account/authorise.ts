import type { CardDeclineReason } from '../../../contracts/events/card-account';
import { availableOf, spentIn } from './balance';
import type { CommandOf } from './command';
import { limitsAt, type CardAccount } from './state';
import { windowsOf } from './windows';

/** In the state of an account: one that has more is to be looked at before it buys again. */
const MAX_TRANSACTIONS = 1_000;

/**
 * Why an authorisation is declined; null when it is approved. What it counts to in the windows of the limits is its own amount;
 * what has to be there is what the hold grows by.
 * @param amount of the authorisation @param growth of the hold, both in units of the account
 */
export function declineReason(
  account: CardAccount,
  { blocked, occurredAt }: CommandOf<'authorise'>,
  amount: bigint,
  growth: bigint,
): CardDeclineReason | null {
  if (account.state !== 'ACTIVE') return 'account_not_active';
  if (blocked) return blocked;
  const { onetime, daily, monthly } = limitsAt(account, occurredAt);
  const { balance } = account;
  const spent = spentIn(balance, windowsOf(occurredAt, account.tzOffset));
  if (amount > BigInt(onetime)) return 'limit_onetime';
  if (BigInt(spent.day) + amount > BigInt(daily)) return 'limit_daily';
  if (BigInt(spent.month) + amount > BigInt(monthly)) return 'limit_monthly';
  if (growth > availableOf(balance)) return 'insufficient_funds';
  return Object.keys(account.transactions).length >= MAX_TRANSACTIONS ? 'too_many_transactions' : null;
}
