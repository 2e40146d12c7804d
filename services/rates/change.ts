import { amountOf } from '../../contracts/money/money';
import { priceBefore, priceIn, type Priced } from './prices';

const MINUS = '\u2212';
const TEN_THOUSAND = 10_000n;
const DAY_MS = 86_400_000;

/** How a price has changed, rounded half away from zero. @param before a positive decimal, as `after` */
function hundredthsOfPercent(before: string, after: string): bigint {
  const from = amountOf(before);
  const difference = amountOf(after) - from;
  const magnitude = difference < 0n ? -difference : difference;
  const hundredths = (2n * magnitude * TEN_THOUSAND + from) / (2n * from);
  return difference < 0n ? -hundredths : hundredths;
}

/**
 * How a price has changed, in percent with two decimals, rounded half away from zero: `+1.25%`, `−1.25%` with U+2212 as wallets
 * expect it, `0.00%`.
 * @param before a positive decimal, as `after`
 */
export function changeInPercent(before: string, after: string): string {
  const hundredths = hundredthsOfPercent(before, after);
  const sign = hundredths === 0n ? '' : hundredths < 0n ? MINUS : '+';
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}%`;
}

/** How the price in a currency (null: in dollars) has changed in so many days; null when no price of then is known. */
export function changeSince(asset: Priced, currency: Priced | null, days: number): string | null {
  const before = priceBefore(asset, currency, days * DAY_MS);
  return before === null ? null : changeInPercent(before, priceIn(asset, currency));
}

/** The same in dollars, as a number. */
export function percentSince(asset: Priced, days: number): number | null {
  const before = priceBefore(asset, null, days * DAY_MS);
  return before === null ? null : Number(hundredthsOfPercent(before, asset.price)) / 100;
}
