import type { PriceEvidence } from '../../contracts/http/rates';
import { product } from '../../contracts/money/money';
import { priceAt } from '../../projections/rates/history';
import { MAX_AGE_MS, type PriceDocument } from '../../projections/rates/prices';

/** An asset that has a price. */
export type Priced = PriceDocument & { readonly price: string; readonly at: string };

/** Whether sources have agreed on a price at least once. */
export function isPriced(document: PriceDocument | null): document is Priced {
  return document !== null && document.price !== null && document.at !== null;
}

/** @param now milliseconds since the epoch */
export function isStale({ at }: Pick<Priced, 'at'>, now: number): boolean {
  return now - Date.parse(at) > MAX_AGE_MS;
}

/** What a price is made of, and whether it is current. @param now milliseconds since the epoch */
export function evidenceOf(priced: Priced, now: number): PriceEvidence {
  const { price, at, used, dropped } = priced;
  const isOld = isStale(priced, now);
  // Of sources that all went silent no quote comes that would freeze it.
  return {
    price,
    at,
    isFrozen: priced.isFrozen || isOld,
    isStale: isOld,
    sources: [...used],
    dropped: [...dropped],
  };
}

const MAX_DECIMALS = 18;

/** A price in dollars in a currency, of which a dollar costs `rate`; null for dollars. */
export function inCurrency(price: string, rate: string | null): string {
  return rate === null ? price : product(price, rate, MAX_DECIMALS);
}

/** The price of an asset in a currency; null is dollars. */
export function priceIn(asset: Priced, currency: Priced | null): string {
  return inCurrency(asset.price, currency && currency.price);
}

/** What it was so many milliseconds before its instant; null when that is not known. */
export function priceBefore(asset: Priced, currency: Priced | null, ms: number): string | null {
  const then = Date.parse(asset.at) - ms;
  const price = priceAt(asset.history, 'hours', then);
  const rate = currency && priceAt(currency.history, 'hours', then);
  return price === null || (currency && rate === null) ? null : inCurrency(price, rate);
}
