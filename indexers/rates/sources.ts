import type { PriceSource } from './price-source';
import { CURRENCY_TABLES, currencySource } from './sources/currency-tables';
import { embeddedCurrencies } from './sources/embedded';
import { localMarketSources } from './sources/local-market';
import { marketSource } from './sources/market';
import { MARKETS } from './sources/markets';

/** What can be read where the real networks are. */
export const LIVE_PRICE_SOURCES: readonly PriceSource[] = [
  ...MARKETS.map(marketSource),
  ...CURRENCY_TABLES.map(currencySource),
];

/** What can be read where the networks are local: doubles. */
export const LOCAL_PRICE_SOURCES: readonly PriceSource[] = [...localMarketSources, embeddedCurrencies];
