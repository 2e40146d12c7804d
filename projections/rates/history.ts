import { PRICE_STEPS, type PriceStep } from '../../contracts/chain/prices';
import { formatAmount, type Amount } from '../../contracts/money/money';

/** The price at the end of each period: the newest in it. Bounded, whatever the age of the instance. */
export type PriceSeries = {
  /** Periods since the epoch, of the first element. */
  readonly from: number;
  /** One for each period; null for one in which there was no price. */
  readonly prices: (string | null)[];
};

/**
 * What a price was: the finer the periods, the shorter the time. Documents of version 1, which are read until those of a
 * later one take their place, have none of these.
 */
export type PriceHistory = { readonly [step in PriceStep]?: PriceSeries };

const STEPS = Object.keys(PRICE_STEPS) as PriceStep[];

/** A day, 31 days and 366 days; and the period that has begun. */
export const MAX_PERIODS: Readonly<Record<PriceStep, number>> = {
  quarters: 24 * 4 + 1,
  hours: 31 * 24 + 1,
  days: 366 + 1,
};

/** A price this many periods older than what is asked for still counts: sources may have been out of reach. */
const MAX_GAP = 3;

const NO_PRICES: PriceSeries = { from: 0, prices: [] };
export const NO_HISTORY: PriceHistory = {};

const periodOf = (step: PriceStep, instant: number): number => Math.floor(instant / PRICE_STEPS[step]);

/**
 * With a price that another follows at `next`, in the periods that it is the last price of. Instants are milliseconds since the
 * epoch.
 */
export function withFollowed(
  history: PriceHistory,
  { price, at }: { readonly price: Amount; readonly at: number },
  next: number,
): PriceHistory {
  const ended = STEPS.filter(step => periodOf(step, at) !== periodOf(step, next));
  return ended.length === 0 ? history : withPriceIn(ended, history, at, formatAmount(price));
}

/** With the price of an instant (milliseconds since the epoch), unless it is older than what is known. */
export function withPrice(history: PriceHistory, instant: number, price: string): PriceHistory {
  return withPriceIn(STEPS, history, instant, price);
}

function withPriceIn(
  steps: readonly PriceStep[],
  history: PriceHistory,
  instant: number,
  price: string,
): PriceHistory {
  const changed = steps.map(
    step =>
      [
        step,
        appended(history[step] ?? NO_PRICES, periodOf(step, instant), price, MAX_PERIODS[step]),
      ] as const,
  );
  return { ...history, ...Object.fromEntries(changed) };
}

function appended(series: PriceSeries, period: number, price: string, max: number): PriceSeries {
  const { from, prices } = series;
  if (prices.length === 0) return { from: period, prices: [price] };
  const last = from + prices.length - 1;
  if (period < last) return series;
  if (period === last)
    return prices.at(-1) === price ? series : { from, prices: [...prices.slice(0, -1), price] };
  const skipped = period - last - 1;
  if (skipped >= max) return { from: period, prices: [price] };
  const all = [...prices, ...Array<null>(skipped).fill(null), price];
  const excess = Math.max(0, all.length - max);
  return { from: from + excess, prices: all.slice(excess) };
}

/** Without the periods after that of an instant (milliseconds since the epoch), of a clock that has been set back since. */
export function withoutFuture(history: PriceHistory, instant: number): PriceHistory {
  const cut = STEPS.map(step => {
    const { from, prices } = history[step] ?? NO_PRICES;
    return [
      step,
      { from, prices: prices.slice(0, Math.max(0, periodOf(step, instant) + 1 - from)) },
    ] as const;
  });
  return Object.fromEntries(cut);
}

/** With prices of the past, in the periods that have none: what was observed at the time is not replaced. */
export function withPast(history: PriceHistory, step: PriceStep, past: PriceSeries): PriceHistory {
  const known = history[step] ?? NO_PRICES;
  if (past.prices.every(price => price === null)) return history;
  const ends = [known, past].filter(({ prices }) => prices.length > 0);
  const end = Math.max(...ends.map(({ from, prices }) => from + prices.length));
  const from = Math.max(end - MAX_PERIODS[step], Math.min(...ends.map(({ from }) => from)));
  const priceOf = (series: PriceSeries, period: number) => series.prices[period - series.from] ?? null;
  const prices = Array.from(
    { length: end - from },
    (_, n) => priceOf(known, from + n) ?? priceOf(past, from + n),
  );
  return { ...history, [step]: { from, prices } };
}

/**
 * The price of the period of an instant (milliseconds since the epoch), or of up to three before; null when there was none.
 */
export function priceAt(history: PriceHistory, step: PriceStep, instant: number): string | null {
  const { from, prices } = history[step] ?? NO_PRICES;
  const period = periodOf(step, instant);
  for (let back = 0; back <= MAX_GAP; back++) {
    const found = prices[period - back - from];
    if (found) return found;
  }
  return null;
}

/** The last price of a period. */
export interface Close {
  /** Milliseconds since the epoch: where the period ends. */
  readonly at: number;
  readonly price: string;
}

/** Oldest first, of the periods that end after an instant (milliseconds since the epoch), without those that had no price. */
export function closesAfter(history: PriceHistory, step: PriceStep, after: number): Close[] {
  const { from, prices } = history[step] ?? NO_PRICES;
  const first = Math.max(0, periodOf(step, after) - from);
  return prices.slice(first).flatMap((price, n) => {
    return price === null ? [] : [{ at: (from + first + n + 1) * PRICE_STEPS[step], price }];
  });
}
