import {
  assetKey,
  FILE_SOURCE,
  PRICES_TOPIC,
  type PastPricesRecord,
  type PricedAsset,
  type PriceQuote,
  type PriceRealm,
  type PriceRecord,
} from '../../contracts/chain/prices';
import { amountOf, formatAmount, type Amount } from '../../contracts/money/money';
import type { Document, Source } from '../../contracts/ports/documents';
import type { LogMessage } from '../../contracts/ports/log';
import type { LogProjection } from '../projection';
import { findAll } from '../find-all';
import type { Views } from '../views';
import {
  NO_HISTORY,
  withFollowed,
  withoutFuture,
  withPast,
  withPrice,
  type PriceHistory,
  type PriceSeries,
} from './history';
import { agreedPrice, type Agreed } from './median';
import { readJson } from '../../contracts/json/read-json';

/** A quote that is older than this is not fresh, and a price is stale. */
export const MAX_AGE_MS = 10 * 60_000;

/** What is known of the price of an asset. */
export type PriceDocument = Document & {
  /** A positive decimal; null until most of enough sources have agreed once. */
  readonly price: string | null;
  /** RFC 3339 UTC instant of the price. */
  readonly at: string | null;
  /** Too few sources are fresh, or no more than half of them agree: the price is that of `at`, when they last did. */
  readonly isFrozen: boolean;
  /** What the price is the median of. */
  readonly used: PriceQuote[];
  /** Fresh quotes that do not count: all of them while it is frozen, and those of others beside a file of operators. */
  readonly dropped: PriceQuote[];
  readonly history: PriceHistory;
};

const COLLECTION = 'prices';

export const PRICES_SOURCE: Source = { collection: COLLECTION };

/**
 * The price of each asset from the quotes of all sources: the median of the fresh ones, without outliers. While there are fewer
 * than their quorum, which is three for markets and tables of currencies, or no more than half of them agree, it stays as it was
 * and is frozen. So one source that lies never moves a price out of what the others say: see `agreedPrice`.
 */
export const pricesProjection: LogProjection = {
  name: 'prices',
  version: 3,
  topics: [PRICES_TOPIC.name],
  collections: [{ name: COLLECTION, indexes: [] }],
  touches: ({ key }) => [{ collection: COLLECTION, id: key }],
  fold: (document, message) => folded(document as PriceDocument | null, [recordOf(message)]),
  foldAll: (document, messages) => folded(document as PriceDocument | null, messages.map(recordOf)),
};

const recordOf = ({ value }: LogMessage): PriceRecord | PastPricesRecord =>
  readJson(value.toString()) as PriceRecord | PastPricesRecord;

/** A quote that is parsed once, however many come after it. */
interface ParsedQuote {
  readonly quote: PriceQuote;
  readonly price: Amount;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const parsed = ({ source, price, at }: PriceQuote): ParsedQuote => ({
  quote: { source, price, at },
  price: amountOf(price),
  at: Date.parse(at),
});

/** A price that sources agreed on, and when. */
interface LastPrice {
  readonly price: Amount;
  readonly at: number;
}

/** The records of one asset, of which there is one at least. */
function folded(
  document: PriceDocument | null,
  records: readonly (PriceRecord | PastPricesRecord)[],
): PriceDocument {
  let used: readonly ParsedQuote[] = document?.used.map(parsed) ?? [];
  let dropped: readonly ParsedQuote[] = document?.dropped.map(parsed) ?? [];
  let isFrozen = document?.isFrozen ?? true;
  let history = document?.history ?? NO_HISTORY;
  let last: LastPrice | null =
    document?.price && document.at ? { price: amountOf(document.price), at: Date.parse(document.at) } : null;
  const historyWithLast = (): PriceHistory =>
    last ? withPrice(history, last.at, formatAmount(last.price)) : history;

  for (const record of records) {
    if ('closes' in record) {
      history = withPast(historyWithLast(), record.step, agreedPast(record));
      continue;
    }
    const now = Date.parse(record.readAt);
    // Those of a clock that has been set back since are not fresh either.
    const isFresh = ({ at }: Pick<ParsedQuote, 'at'>): boolean => Math.abs(now - at) <= MAX_AGE_MS;
    const quotes = withQuote([...used, ...dropped].filter(isFresh), parsed(record)).filter(isFresh);
    const agreed = agreedOn(quotes, record.quorum);
    isFrozen = agreed === null;
    ({ used, dropped } = agreed ?? { used: [], dropped: quotes });
    if (!agreed) continue;
    // Two processes may read at a time, for a moment.
    const at = last && isFresh(last) ? Math.max(last.at, now) : now;
    if (last) history = last.at > at ? withoutFuture(history, at) : withFollowed(history, last, at);
    last = { price: agreed.price, at };
  }
  return {
    _id: records[0]!.asset,
    price: last && formatAmount(last.price),
    at: last && new Date(last.at).toISOString(),
    isFrozen,
    used: used.map(({ quote }) => quote).sort(bySource),
    dropped: dropped.map(({ quote }) => quote).sort(bySource),
    history: historyWithLast(),
  };
}

/** A file of operators needs nobody to agree with it, and nobody counts beside it. */
function agreedOn(quotes: readonly ParsedQuote[], quorum: number): Agreed<ParsedQuote> | null {
  const given = quotes.find(({ quote }) => quote.source === FILE_SOURCE);
  if (!given) return agreedPrice(quotes, quorum);
  return { price: given.price, used: [given], dropped: quotes.filter(quote => quote !== given) };
}

/** In each step the median of what sources say, as of fresh quotes; null where too few agree. */
function agreedPast({ from, closes, quorum }: PastPricesRecord): PriceSeries {
  const lists = Object.values(closes);
  const count = Math.max(0, ...lists.map(({ length }) => length));
  const prices = Array.from({ length: count }, (_, n) => {
    const quotes = lists.flatMap(list => (list[n] ? [{ price: amountOf(list[n]) }] : []));
    const agreed = agreedPrice(quotes, quorum);
    return agreed && formatAmount(agreed.price);
  });
  return { from, prices };
}

const bySource = (a: PriceQuote, b: PriceQuote): number => (a.source < b.source ? -1 : 1);

/** Of two quotes of a source the newer one counts. */
function withQuote(quotes: readonly ParsedQuote[], quote: ParsedQuote): ParsedQuote[] {
  const place = quotes.findIndex(known => known.quote.source === quote.quote.source);
  if (place < 0) return [...quotes, quote];
  return quotes[place]!.at > quote.at ? [...quotes] : quotes.with(place, quote);
}

/** What is known of the prices of assets, in their order; null where there is nothing. */
export async function findPrices(
  views: Pick<Views, 'getMany'>,
  realm: PriceRealm,
  assets: readonly PricedAsset[],
): Promise<(PriceDocument | null)[]> {
  const ids = assets.map(asset => assetKey(realm, asset));
  const found = await views.getMany<PriceDocument>(COLLECTION, ids);
  return ids.map(id => found.get(id) ?? null);
}

/** Everything that has been quoted, in the order of the assets' keys. */
export function findAllPrices(views: Pick<Views, 'scan'>): Promise<PriceDocument[]> {
  return findAll<PriceDocument>(views, COLLECTION);
}
