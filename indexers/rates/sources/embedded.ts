import { CURRENCIES, currencyAsset, type Currency } from '../../../contracts/chain/prices';
import type { PriceSource } from '../price-source';

/** Units of a currency for a dollar, roughly those of the year 2026: for local networks, where nothing has any value. */
const TABLE: Readonly<Record<Currency, string>> = {
  AED: '3.6725',
  ARS: '1450',
  AUD: '1.5',
  BRL: '5.4',
  BYN: '3.2',
  CAD: '1.38',
  CHF: '0.8',
  CNY: '7.1',
  CZK: '20.8',
  EUR: '0.86',
  GBP: '0.75',
  GEL: '2.7',
  HKD: '7.8',
  HUF: '335',
  IDR: '16600',
  ILS: '3.3',
  INR: '88',
  JPY: '150',
  KRW: '1430',
  KZT: '530',
  MXN: '18.4',
  NGN: '1460',
  PLN: '3.65',
  RUB: '81',
  SEK: '9.4',
  SGD: '1.3',
  THB: '32.5',
  TRY: '42',
  UAH: '41.8',
  UZS: '12050',
  VND: '26300',
  ZAR: '17.3',
};

/** Often enough to be fresh, and no more: each reading is kept on the log for good, and says the same. */
const INTERVAL_MS = 300_000;

/** A fixed table of currencies that comes with the program. */
export const embeddedCurrencies: PriceSource = {
  name: 'embedded',
  realm: 'local',
  intervalMs: INTERVAL_MS,
  quorum: 1,
  embedded: CURRENCIES.map(currency => ({
    asset: currencyAsset(currency),
    price: TABLE[currency],
    at: null,
  })),
  requests: [],
};
