import {
  assetKey,
  PRICES_TOPIC,
  type PricedAsset,
  type PriceQuote,
  type PriceRealm,
  type PriceRecord,
} from '../../contracts/chain/prices';
import type { Document, Source } from '../../contracts/ports/documents';
import type { LogMessage } from '../../contracts/ports/log';
import type { LogProjection } from '../projection';
import type { Views } from '../views';
import { NO_HISTORY, withPrice, type PriceHistory } from './history';
import { agreedPrice } from './median';

/** A quote that is older than this is not fresh, and a price is stale. */
export const MAX_AGE_MS = 10 * 60_000;

/** What is known of the price of an asset. */
export type PriceDocument = Document & {
  /** A positive decimal; null until as many sources as needed have agreed once. */
  readonly price: string | null;
  /** RFC 3339 UTC instant of the price. */
  readonly at: string | null;
  /** Too few fresh sources agree: the price is that of `at`, when they last did. */
  readonly isFrozen: boolean;
  /** What the price is the median of. */
  readonly used: PriceQuote[];
  /** Fresh quotes that do not count: all of them while it is frozen. */
  readonly dropped: PriceQuote[];
  readonly history: PriceHistory;
};

const COLLECTION = 'prices';

export const PRICES_SOURCE: Source = { collection: COLLECTION };

/**
 * The price of each asset from the quotes of all sources: the median of the fresh ones, without outliers. When too few remain it
 * stays as it was, and is frozen.
 */
export const pricesProjection: LogProjection = {
  name: 'prices',
  version: 1,
  topics: [PRICES_TOPIC.name],
  collections: [{ name: COLLECTION, indexes: [] }],
  touches: ({ key }) => [{ collection: COLLECTION, id: key }],
  fold: (document, message) => folded(document as PriceDocument | null, recordOf(message)),
  foldAll: (document, messages) => messages.map(recordOf).reduce(folded, document as PriceDocument | null),
};

const recordOf = ({ value }: LogMessage): PriceRecord => JSON.parse(value.toString()) as PriceRecord;

function folded(document: PriceDocument | null, record: PriceRecord): PriceDocument {
  const { asset, source, price, at, readAt, quorum } = record;
  const now = Date.parse(readAt);
  const known = document ? [...document.used, ...document.dropped] : [];
  const newest = known.find(quote => quote.source === source && quote.at >= at) ?? { source, price, at };
  const quotes = [...known.filter(quote => quote.source !== source), newest]
    .filter(quote => now - Date.parse(quote.at) <= MAX_AGE_MS)
    .sort((a, b) => (a.source < b.source ? -1 : 1));
  const agreed = agreedPrice(quotes, quorum);
  const history = document?.history ?? NO_HISTORY;
  if (!agreed) {
    const { price = null, at = null } = document ?? {};
    return { _id: asset, price, at, isFrozen: true, used: [], dropped: quotes, history };
  }
  const { used, dropped } = agreed;
  return {
    _id: asset,
    price: agreed.price,
    // Two processes may read at a time, for a moment.
    at: document?.at && document.at > readAt ? document.at : readAt,
    isFrozen: false,
    used,
    dropped,
    history: withPrice(history, now, agreed.price),
  };
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
