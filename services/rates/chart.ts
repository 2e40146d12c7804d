import type { PriceStep } from '../../contracts/chain/prices';
import type { ChartPeriod, PriceChart } from '../../contracts/http/rates';
import { closesAfter, priceAt } from '../../projections/rates/history';
import { inCurrency, priceIn, type Priced } from './prices';

const DAY_MS = 86_400_000;

const PERIODS_MS: Readonly<Record<ChartPeriod, number>> = {
  '1d': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '1y': 365 * DAY_MS,
};

export const CHART_STEPS: Readonly<Record<ChartPeriod, PriceStep>> = {
  '1d': 'quarters',
  '7d': 'hours',
  '30d': 'hours',
  '1y': 'days',
};

/** Up to the newest price of the asset, so that they do not depend on the clock. @param currency null for dollars */
export function chartPoints(
  asset: Priced,
  currency: Priced | null,
  period: ChartPeriod,
): PriceChart['points'] {
  const step = CHART_STEPS[period];
  const until = Date.parse(asset.at);
  const past = closesAfter(asset.history, step, until - PERIODS_MS[period])
    // The period that has begun ends with the newest price.
    .filter(({ at }) => at <= until)
    .flatMap(({ at, price }): PriceChart['points'] => {
      const rate = currency && priceAt(currency.history, step, at - 1);
      if (currency && rate === null) return [];
      return [pointOf(at, inCurrency(price, rate))];
    });
  return [...past, pointOf(until, priceIn(asset, currency))];
}

const pointOf = (at: number, price: string): [number, number] => [Math.floor(at / 1_000), Number(price)];
