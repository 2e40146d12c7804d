import type { Amount } from '../../contracts/money';

/** A quote further from the median than this is dropped: one in twenty. */
const MAX_DEVIATION = 20n;

export interface Agreed<Quote> {
  /** The median of the quotes that are used. */
  readonly price: Amount;
  readonly used: readonly Quote[];
  /** More than 5 % from the median of all. */
  readonly dropped: readonly Quote[];
}

/**
 * The price that quotes agree on: their median, without those that are more than 5 % from it. Of two in the middle it is the
 * mean, rounded down to 10^-18.
 * @returns null when fewer than `quorum` quotes remain
 */
export function agreedPrice<Quote extends { readonly price: Amount }>(
  quotes: readonly Quote[],
  quorum: number,
): Agreed<Quote> | null {
  if (quotes.length < quorum) return null;
  const center = median(quotes);
  const isNear = ({ price }: Quote): boolean =>
    MAX_DEVIATION * (price > center ? price - center : center - price) <= center;
  if (quotes.every(isNear)) return { price: center, used: quotes, dropped: [] };
  const used = quotes.filter(isNear);
  if (used.length < quorum) return null;
  return { price: median(used), used, dropped: quotes.filter(quote => !isNear(quote)) };
}

/** Of one quote at least. */
function median(quotes: readonly { readonly price: Amount }[]): Amount {
  const sorted = quotes.map(({ price }) => price).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2n;
}
