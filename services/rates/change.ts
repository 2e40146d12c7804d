import { amountOf } from '../../contracts/money';
import { priceBefore, priceIn, type Priced } from './prices';

const MINUS = '\u2212';
const TEN_THOUSAND = 10_000n;
const DAY_MS = 86_400_000;

/**
 * How a price has changed, in percent with two decimals, rounded half away from zero: `+1.25%`, `−1.25%` with U+2212 as wallets
 * expect it, `0.00%`.
 * @param before a positive decimal, as `after`
 */
export function changeInPercent(before: string, after: string): string {
  const from = amountOf(before);
  const difference = amountOf(after) - from;
  const magnitude = difference < 0n ? -difference : difference;
  const hundredths = (2n * magnitude * TEN_THOUSAND + from) / (2n * from);
  const sign = hundredths === 0n ? '' : difference < 0n ? MINUS : '+';
  const digits = String(hundredths).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}%`;
}

/** How the price in a currency (null: in dollars) has changed in so many days; null when no price of then is known. */
export function changeSince(asset: Priced, currency: Priced | null, days: number): string | null {
  const before = priceBefore(asset, currency, days * DAY_MS);
  return before === null ? null : changeInPercent(before, priceIn(asset, currency));
}
