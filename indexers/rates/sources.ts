import { LOCAL_VENUES } from '../../contracts/chain/local-market';
import { COINS } from '../../contracts/chain/prices';
import type { PriceSource } from './price-source';
import { coingecko } from './sources/coingecko';
import { CURRENCY_TABLES, currencySource } from './sources/currency-tables';
import { embeddedCurrencies } from './sources/embedded';
import { localDexSource } from './sources/local-dex';
import { localMarketSource } from './sources/local-market';
import { marketSource } from './sources/market';
import { MARKETS } from './sources/markets';

/** What can be read where the real networks are: of coins, and of currencies. */
export const COIN_SOURCES: readonly PriceSource[] = [...MARKETS.map(marketSource), coingecko];
export const CURRENCY_SOURCES: readonly PriceSource[] = CURRENCY_TABLES.map(currencySource);
export const LIVE_PRICE_SOURCES: readonly PriceSource[] = [...COIN_SOURCES, ...CURRENCY_SOURCES];

/**
 * What can be read where the networks are local.
 * @param priceOfTon dollars on the exchange there; null where nobody has opened one: TON then has the price of a double as
 * other coins have
 */
export function localPriceSources(priceOfTon: (() => Promise<string | null>) | null): readonly PriceSource[] {
  const coins = priceOfTon ? COINS.filter(coin => coin !== 'TON') : COINS;
  return [
    ...(priceOfTon ? [localDexSource(priceOfTon)] : []),
    ...LOCAL_VENUES.map(venue => localMarketSource(venue, coins)),
    embeddedCurrencies,
  ];
}
