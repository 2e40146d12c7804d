import { z } from 'zod';
import { CURRENCIES, currencyAsset } from '../../../contracts/chain/prices';
import { positivePrice, type PriceSource, type SourcePrice } from '../price-source';

/** A table of what a dollar costs in other currencies. */
export interface CurrencyTable {
  readonly name: string;
  readonly url: string;
  /** Units of each currency for a dollar. @throws z.ZodError */
  parse(answer: unknown): Readonly<Record<string, unknown>>;
}

/** https://docs.cdp.coinbase.com/coinbase-app/docs/api-exchange-rates */
const coinbase: CurrencyTable = {
  name: 'coinbase',
  url: 'https://api.coinbase.com/v2/exchange-rates?currency=USD',
  parse(answer) {
    const data = z.object({ currency: z.literal('USD'), rates });
    return z.object({ data }).parse(answer).data.rates;
  },
};

/** https://www.exchangerate-api.com/docs/free: once a day. */
const exchangeRateApi: CurrencyTable = {
  name: 'exchangerate-api',
  url: 'https://open.er-api.com/v6/latest/USD',
  parse: answer =>
    z.object({ result: z.literal('success'), base_code: z.literal('USD'), rates }).parse(answer).rates,
};

/** https://frankfurter.dev: the reference rates of the European Central Bank, once on a working day. */
const frankfurter: CurrencyTable = {
  name: 'frankfurter',
  url: 'https://api.frankfurter.dev/v1/latest?base=USD',
  parse: answer => z.object({ base: z.literal('USD'), rates }).parse(answer).rates,
};

export const CURRENCY_TABLES: readonly CurrencyTable[] = [coinbase, exchangeRateApi, frankfurter];

const rates = z.record(z.string().max(16), z.unknown());

const INTERVAL_MS = 5 * 60_000;
const QUORUM = 2;

/** The source that reads a table every five minutes. */
export function currencySource({ name, url, parse }: CurrencyTable): PriceSource {
  return {
    name,
    realm: 'live',
    intervalMs: INTERVAL_MS,
    quorum: QUORUM,
    requests: [[{ url, parse: answer => pricesOf(parse(answer)) }]],
  };
}

/** Of the currencies that are shown; one without a positive value is left out. */
function pricesOf(table: Readonly<Record<string, unknown>>): SourcePrice[] {
  return CURRENCIES.flatMap(currency => {
    const value = positivePrice.safeParse(table[currency]);
    return value.success ? [{ asset: currencyAsset(currency), price: value.data, at: null }] : [];
  });
}
