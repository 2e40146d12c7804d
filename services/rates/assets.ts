import { parseTonAddress } from '../../contracts/account/address';
import {
  coinAsset,
  COINS,
  CURRENCIES,
  type Coin,
  type Currency,
  type PricedAsset,
} from '../../contracts/chain/prices';
import type { TonNetwork } from '../../contracts/network/network';

/** Other names of coins: TON is listed as GRAM on some markets, and XAUt0 is the gold token of another chain. */
const COIN_NAMES: Readonly<Record<string, Coin>> = { GRAM: 'TON', XAUT0: 'XAUT' };

/** Of the name of a coin, or of the address of a jetton in either form; null for what nobody has a price of. */
export function tokenAsset(name: string, network: TonNetwork): PricedAsset | null {
  const upper = name.toUpperCase();
  const coin = COIN_NAMES[upper] ?? COINS.find(coin => coin === upper);
  if (coin) return coinAsset(coin);
  const master = parseTonAddress(name)?.raw;
  return master === undefined ? null : { type: 'jetton', network, master };
}

/** Of a code in upper case; null for dollars and for a currency that is not shown. */
export function currencyOf(code: string): Currency | null {
  return CURRENCIES.find(currency => currency === code) ?? null;
}
