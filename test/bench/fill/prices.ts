import {
  assetKey,
  coinAsset,
  COINS,
  CURRENCIES,
  currencyAsset,
  PRICES_TOPIC,
  type PriceRecord,
} from '../../../contracts/chain/prices';
import type { Log, NewMessage } from '../../../contracts/ports/log';

const SOURCES = ['okx', 'kucoin', 'bybit', 'gate', 'bitfinex'];
const ASSETS = [...COINS.map(coinAsset), ...CURRENCIES.map(currencyAsset)].map(asset =>
  assetKey('live', asset),
);

function quote(asset: string, n: number, at: number): NewMessage {
  const instant = new Date(at).toISOString();
  const record: PriceRecord = {
    asset,
    source: SOURCES[n % SOURCES.length]!,
    price: (3 + Math.sin(n / 5_000) / 2 + (n % 7) / 1_000).toFixed(6),
    at: instant,
    readAt: instant,
    quorum: 2,
  };
  return { key: asset, value: Buffer.from(JSON.stringify(record)) };
}

/** Quotes of coins by all sources, one every two seconds. */
export function* coinQuotes(count: number): Generator<NewMessage> {
  for (let n = 0; n < count; n++)
    yield quote(ASSETS[n % COINS.length]!, Math.floor(n / COINS.length), Date.UTC(2026, 0, 1) + n * 2_000);
}

/** A price of everything, which is not stale while it is measured. */
export async function fillPrices(log: Pick<Log, 'publish'>): Promise<void> {
  const at = Date.now() + 86_400_000;
  await log.publish(
    PRICES_TOPIC.name,
    ASSETS.flatMap(asset => SOURCES.map((_, n) => quote(asset, n, at + n))),
  );
}
