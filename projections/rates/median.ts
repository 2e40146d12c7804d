import type { Amount } from '../../contracts/money/money';

/** A quote further from the median than this is dropped: one in twenty. */
const MAX_DEVIATION = 20n;

export interface Agreed<Quote> {
  readonly price: Amount;
  /** What the price is the median of. */
  readonly used: readonly Quote[];
  /** More than 5 % from the median of all. */
  readonly dropped: readonly Quote[];
}

/**
 * The price that most quotes agree on: the median of those that are within 5 % of the median of all. Of two in the middle it is
 * the mean, rounded down to 10^-18; of two that remain of three it is the one in the middle of the three.
 *
 * With a quorum of three, one quote never moves the price out of what the others say, whatever it says: the middle of three
 * or more has quotes on both sides, of which only one can lie. Of two, one could move their mean by half of its lie.
 * @returns null when there are fewer than `quorum` quotes, or no more than half of them agree
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
  if (2 * used.length <= quotes.length) return null;
  const price = used.length > 2 ? median(used) : center;
  return { price, used, dropped: quotes.filter(quote => !isNear(quote)) };
}

/** Of one quote at least. */
function median(quotes: readonly { readonly price: Amount }[]): Amount {
  const sorted = quotes.map(({ price }) => price).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2n;
}
