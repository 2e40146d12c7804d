import { z } from 'zod';
import { CURRENCIES, currencyAsset } from '../../../contracts/chain/prices';
import { positivePrice, QUORUM, type PriceSource, type SourcePrice } from '../price-source';

/** A table of what a dollar costs in other currencies. */
export interface CurrencyTable {
  readonly name: string;
  /** Alternatives: the first that answers counts. */
  readonly urls: readonly string[];
  /** Units of each currency for a dollar, by its code in upper case. @throws z.ZodError */
  parse(answer: unknown): Readonly<Record<string, unknown>>;
}

/** https://docs.cdp.coinbase.com/coinbase-app/docs/api-exchange-rates */
const coinbase: CurrencyTable = {
  name: 'coinbase',
  urls: ['https://api.coinbase.com/v2/exchange-rates?currency=USD'],
  parse(answer) {
    const data = z.object({ currency: z.literal('USD'), rates });
    return z.object({ data }).parse(answer).data.rates;
  },
};

/** https://www.exchangerate-api.com/docs/free: once a day. */
const exchangeRateApi: CurrencyTable = {
  name: 'exchangerate-api',
  urls: ['https://open.er-api.com/v6/latest/USD'],
  parse: answer =>
    z.object({ result: z.literal('success'), base_code: z.literal('USD'), rates }).parse(answer).rates,
};

/** https://frankfurter.dev: the reference rates of the European Central Bank, once on a working day. */
const frankfurter: CurrencyTable = {
  name: 'frankfurter',
  urls: ['https://api.frankfurter.dev/v1/latest?base=USD'],
  parse: answer => z.object({ base: z.literal('USD'), rates }).parse(answer).rates,
};

/** https://www.floatrates.com/json-feeds.html: once a day. */
const floatRates: CurrencyTable = {
  name: 'floatrates',
  urls: ['https://www.floatrates.com/daily/usd.json'],
  parse(answer) {
    const row = z.object({ alphaCode: z.string().max(16), rate: z.unknown() });
    const rows = Object.values(z.record(z.string().max(16), row).parse(answer));
    const table = Object.fromEntries(rows.map(({ alphaCode, rate }) => [alphaCode, rate]));
    // It does not say whose table it is, and leaves out that currency.
    return z.object({ USD: z.never().optional() }).loose().parse(table);
  },
};

/** https://github.com/fawazahmed0/exchange-api: once a day. */
const exchangeApi: CurrencyTable = {
  name: 'exchange-api',
  urls: [
    'https://cdn.jsdelivr.net/npm/@fawazahmed0/currency-api@latest/v1/currencies/usd.json',
    'https://latest.currency-api.pages.dev/v1/currencies/usd.json',
  ],
  parse: answer =>
    Object.fromEntries(
      Object.entries(z.object({ usd: rates }).parse(answer).usd).map(([code, rate]) => [
        code.toUpperCase(),
        rate,
      ]),
    ),
};

/** So many that one may fail, or lack a currency as frankfurter does, and three still have it. */
export const CURRENCY_TABLES: readonly CurrencyTable[] = [
  ...[coinbase, exchangeRateApi, frankfurter],
  ...[floatRates, exchangeApi],
];

const rates = z.record(z.string().max(16), z.unknown());

const INTERVAL_MS = 5 * 60_000;

/** The source that reads a table every five minutes. */
export function currencySource({ name, urls, parse }: CurrencyTable): PriceSource {
  return {
    name,
    realm: 'live',
    intervalMs: INTERVAL_MS,
    quorum: QUORUM,
    requests: [urls.map(url => ({ url, parse: answer => pricesOf(parse(answer)) }))],
  };
}

/** Of the currencies that are shown; one without a positive value is left out. @throws Error for a table of none */
function pricesOf(table: Readonly<Record<string, unknown>>): SourcePrice[] {
  const known = CURRENCIES.flatMap(currency => {
    const value = positivePrice.safeParse(table[currency]);
    return value.success ? [{ asset: currencyAsset(currency), price: value.data, at: null }] : [];
  });
  if (known.length === 0) throw new Error('the table has no currency that is shown');
  return known;
}
