import {
  assetKey,
  coinAsset,
  COINS,
  CURRENCIES,
  currencyAsset,
  PRICE_STEPS,
  PRICES_TOPIC,
  type PastPricesRecord,
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
    quorum: 3,
  };
  return { key: asset, value: Buffer.from(JSON.stringify(record)) };
}

/** Quotes of coins by all sources, one every two seconds. */
export function* coinQuotes(count: number): Generator<NewMessage> {
  for (let n = 0; n < count; n++)
    yield quote(ASSETS[n % COINS.length]!, Math.floor(n / COINS.length), Date.UTC(2026, 0, 1) + n * 2_000);
}

/** A price of everything, which is not stale while it is measured, and what it was in each hour of a month. */
export async function fillPrices(log: Pick<Log, 'publish'>): Promise<void> {
  const at = Date.now() + 86_400_000;
  await log.publish(
    PRICES_TOPIC.name,
    ASSETS.flatMap(asset => [hoursBefore(asset, at), ...SOURCES.map((_, n) => quote(asset, n, at + n))]),
  );
}

function hoursBefore(asset: string, at: number): NewMessage {
  const count = 31 * 24;
  const from = Math.floor(at / PRICE_STEPS.hours) - count;
  const prices = Array.from({ length: count }, (_, n) => (3 + Math.sin(n / 50) / 2).toFixed(6));
  const closes = Object.fromEntries(SOURCES.map(source => [source, prices]));
  const readAt = new Date(at).toISOString();
  const record: PastPricesRecord = { asset, step: 'hours', from, closes, readAt, quorum: 3 };
  return { key: asset, value: Buffer.from(JSON.stringify(record)) };
}
