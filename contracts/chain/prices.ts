import type { TonNetwork } from '../network/network';
import type { NewMessage } from '../ports/log';

/**
 * Where prices come from. Prices of doubles are never mixed with those of the markets: an asset of one realm is another asset
 * than that of the other.
 */
export const PRICE_REALMS = ['live', 'local'] as const;
export type PriceRealm = (typeof PRICE_REALMS)[number];

/**
 * The coins that wallets show a price of, by the names that clients use. TON is also listed as GRAM, XAUt0 is XAUT on markets.
 */
export const COINS = ['TON', 'SOL', 'USDY', 'XAUT'] as const;
export type Coin = (typeof COINS)[number];

/** The currencies in which prices are shown, beside USD (ISO 4217). */
// prettier-ignore
export const CURRENCIES = [
  'AED', 'ARS', 'AUD', 'BRL', 'BYN', 'CAD', 'CHF', 'CNY', 'CZK', 'EUR', 'GBP', 'GEL',
  'HKD', 'HUF', 'IDR', 'ILS', 'INR', 'JPY', 'KRW', 'KZT', 'MXN', 'NGN', 'PLN', 'RUB',
  'SEK', 'SGD', 'THB', 'TRY', 'UAH', 'UZS', 'VND', 'ZAR',
] as const;
export type Currency = (typeof CURRENCIES)[number];

/** What has a price: a coin or a jetton, in dollars; or a currency, in units for one dollar. */
export type PricedAsset =
  | { readonly type: 'coin'; readonly coin: Coin }
  | { readonly type: 'currency'; readonly currency: Currency }
  /** By its raw address. */
  | { readonly type: 'jetton'; readonly network: TonNetwork; readonly master: string };

/** A coin as something that has a price. */
export function coinAsset(coin: Coin): PricedAsset {
  return { type: 'coin', coin };
}

/** A currency as something that has a price: units for a dollar. */
export function currencyAsset(currency: Currency): PricedAsset {
  return { type: 'currency', currency };
}

/** Unique among all assets: `live/coin/TON`, `local/jetton/testnet/0:…`. */
export function assetKey(realm: PriceRealm, asset: PricedAsset): string {
  if (asset.type === 'coin') return `${realm}/coin/${asset.coin}`;
  if (asset.type === 'currency') return `${realm}/currency/${asset.currency}`;
  return `${realm}/jetton/${asset.network}/${asset.master}`;
}

/** The source that operators write themselves: the file of PRICE_FILE. */
export const FILE_SOURCE = 'file';

/** What one source says of one asset. */
export type PriceQuote = {
  /** Such as `okx`. */
  readonly source: string;
  /** A positive decimal of at most 20 digits before the point and 18 after it. */
  readonly price: string;
  /** RFC 3339 UTC instant: when it was read, or that of the price where the source has an older one. */
  readonly at: string;
};

/** The periods into which the past of a price is divided: milliseconds. They begin at the epoch, days thus at midnight UTC. */
export const PRICE_STEPS = { quarters: 900_000, hours: 3_600_000, days: 86_400_000 } as const;
export type PriceStep = keyof typeof PRICE_STEPS;

/** A quote as it is on the log, keyed by its asset. */
export type PriceRecord = PriceQuote & {
  /** `assetKey`. */
  readonly asset: string;
  /** When it was read. */
  readonly readAt: string;
  /** How many fresh sources there must be before most of them make a price. */
  readonly quorum: number;
};

/** What sources say that the price of an asset was, on the log under its asset: what was not read at the time. */
export type PastPricesRecord = {
  readonly asset: string;
  readonly step: PriceStep;
  /** Steps since the epoch, of the first of each list. */
  readonly from: number;
  /** By source: the last price of each step; null where the source has none. Only of steps that had ended at `readAt`. */
  readonly closes: { [source: string]: (string | null)[] };
  /** RFC 3339 UTC instant. */
  readonly readAt: string;
  /** How many sources must have a price of a step. */
  readonly quorum: number;
};

/** The message of a quote. */
export function priceMessage(record: PriceRecord): NewMessage {
  return { key: record.asset, value: Buffer.from(JSON.stringify(record)) };
}

/** Every quote is kept for the retention of the log: differences over days are folded from them. */
export const PRICES_TOPIC = { name: 'prices', partitions: 4, cleanup: 'delete' } as const;
