import type { ExchangeProgress } from '../../../contracts/events/exchange-order';
import { parseAmount, product, sum, type Amount } from '../../../contracts/money';

/** Currencies have at most as many decimals as amounts. */
const DECIMALS = 18;
const PERCENT = '0.01';

/**
 * Our part of a finished exchange, by what the partner says of it. `apiExtraFee` is a percentage of what was bought before any
 * fee was deducted: what was paid out, the fee of its network and all fees (https://docs.changelly.com/info/get-transactions).
 */
export interface Commission {
  /** In the currency of the payout: what was bought, before any fee. */
  readonly payout: string;
  /** A fraction of `payout`: 0.004 for 0.4 %. */
  readonly rate: string;
  /** In the currency of the payout, rounded half to even at 18 decimals. */
  readonly amount: string;
}

/** Null while the partner has not said all of it. @throws MalformedAmount */
export function commissionOf({
  amountTo,
  networkFee,
  totalFee,
  apiExtraFee,
}: Pick<ExchangeProgress, 'amountTo' | 'networkFee' | 'totalFee' | 'apiExtraFee'>): Commission | null {
  if (amountTo === null || networkFee === null || totalFee === null || apiExtraFee === null) return null;
  const payout = sum([amountTo, networkFee, totalFee].map(checked));
  const rate = product(checked(apiExtraFee), PERCENT, DECIMALS);
  return { payout, rate, amount: product(payout, rate, DECIMALS) };
}

/** The partner wrote what is not an amount. */
export class MalformedAmount extends Error {
  override readonly name = 'MalformedAmount';
}

function checked(text: string): string {
  const amount: Amount | null = parseAmount(text);
  if (amount === null || amount < 0n) throw new MalformedAmount(`not an amount: ${text.slice(0, 60)}`);
  return text;
}
