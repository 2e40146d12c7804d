import { amountOf, formatAmount, type Amount } from '../../contracts/money';
import type { PriceQuote } from '../../contracts/chain/prices';

/** A quote further from the median than this is dropped: one in twenty. */
const MAX_DEVIATION = 20n;

export interface Agreed {
  /** The median of the quotes that are used. */
  readonly price: string;
  readonly used: PriceQuote[];
  /** More than 5 % from the median of all. */
  readonly dropped: PriceQuote[];
}

/**
 * The price that quotes agree on: their median, without those that are more than 5 % from it. Of two in the middle it is the
 * mean, rounded down to 10^-18.
 * @returns null when fewer than `quorum` quotes remain
 */
export function agreedPrice(quotes: readonly PriceQuote[], quorum: number): Agreed | null {
  if (quotes.length < quorum) return null;
  const priced = quotes.map(quote => ({ quote, price: amountOf(quote.price) }));
  const center = median(priced.map(({ price }) => price));
  const isNear = ({ price }: { price: Amount }): boolean =>
    MAX_DEVIATION * (price > center ? price - center : center - price) <= center;
  const near = priced.filter(isNear);
  if (near.length < quorum) return null;
  if (near.length === priced.length) return { price: formatAmount(center), used: [...quotes], dropped: [] };
  return {
    price: formatAmount(median(near.map(({ price }) => price))),
    used: near.map(({ quote }) => quote),
    dropped: priced.filter(each => !isNear(each)).map(({ quote }) => quote),
  };
}

/** Of one price at least. */
function median(prices: readonly Amount[]): Amount {
  const sorted = [...prices].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2n;
}
