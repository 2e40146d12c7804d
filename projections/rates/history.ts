/** The price at the end of each hour, for a month: the newest of its hour. Bounded, whatever the age of the instance. */
export type PriceHistory = {
  /** Hours since the epoch, of the first element. */
  readonly from: number;
  /** One for each hour; null for an hour in which there was no price. */
  readonly prices: (string | null)[];
};

export const HOUR_MS = 3_600_000;
/** 31 days, and the hour that has begun. */
export const MAX_HOURS = 31 * 24 + 1;
/** A price this much older than what is asked for still counts: sources may have been out of reach. */
const MAX_GAP_HOURS = 3;

export const NO_HISTORY: PriceHistory = { from: 0, prices: [] };

const hourOf = (instant: number): number => Math.floor(instant / HOUR_MS);

export function isSameHour(one: number, other: number): boolean {
  return hourOf(one) === hourOf(other);
}

/** With the price of an instant (milliseconds since the epoch), unless it is older than what is known. */
export function withPrice(history: PriceHistory, instant: number, price: string): PriceHistory {
  const hour = hourOf(instant);
  const { from, prices } = history;
  if (prices.length === 0) return { from: hour, prices: [price] };
  const last = from + prices.length - 1;
  if (hour < last) return history;
  if (hour === last)
    return prices.at(-1) === price ? history : { from, prices: [...prices.slice(0, -1), price] };
  const skipped = hour - last - 1;
  if (skipped >= MAX_HOURS) return { from: hour, prices: [price] };
  const all = [...prices, ...Array<null>(skipped).fill(null), price];
  const excess = Math.max(0, all.length - MAX_HOURS);
  return { from: from + excess, prices: all.slice(excess) };
}

/**
 * The price of the hour of an instant (milliseconds since the epoch), or up to three hours before; null when there was none.
 */
export function priceAt({ from, prices }: PriceHistory, instant: number): string | null {
  const hour = hourOf(instant);
  for (let back = 0; back <= MAX_GAP_HOURS; back++) {
    const found = prices[hour - back - from];
    if (found) return found;
  }
  return null;
}
