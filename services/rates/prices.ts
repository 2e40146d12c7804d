import type { PriceEvidence } from '../../contracts/http/rates';
import { product } from '../../contracts/money';
import { priceAt } from '../../projections/rates/history';
import { MAX_AGE_MS, type PriceDocument } from '../../projections/rates/prices';

/** An asset that has a price. */
export type Priced = PriceDocument & { readonly price: string; readonly at: string };

export function isPriced(document: PriceDocument | null): document is Priced {
  return document !== null && document.price !== null && document.at !== null;
}

/** @param now milliseconds since the epoch */
export function isStale({ at }: Pick<Priced, 'at'>, now: number): boolean {
  return now - Date.parse(at) > MAX_AGE_MS;
}

export function evidenceOf(priced: Priced, now: number): PriceEvidence {
  const { price, at, isFrozen, used, dropped } = priced;
  return { price, at, isFrozen, isStale: isStale(priced, now), sources: [...used], dropped: [...dropped] };
}

const MAX_DECIMALS = 18;

/** The price of an asset in a currency; null is dollars. */
export function priceIn(asset: Priced, currency: Priced | null): string {
  return currency ? product(asset.price, currency.price, MAX_DECIMALS) : asset.price;
}

/** What it was so many milliseconds before its instant; null when that is not known. */
export function priceBefore(asset: Priced, currency: Priced | null, ms: number): string | null {
  const then = Date.parse(asset.at) - ms;
  const price = priceAt(asset.history, then);
  if (price === null || !currency) return price;
  const rate = priceAt(currency.history, then);
  return rate === null ? null : product(price, rate, MAX_DECIMALS);
}
