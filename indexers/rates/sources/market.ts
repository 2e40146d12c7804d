import { coinAsset, type Coin } from '../../../contracts/chain/prices';
import { QUORUM, type Close, type PastSteps, type PriceSource } from '../price-source';

/** A public market. A coin is sold there for dollars, or for a stablecoin that counts as a dollar. */
export interface Market {
  readonly name: string;
  /** The pairs of a coin, in the order in which they are asked for: a coin may be listed under a new name. */
  readonly pairs: Readonly<Partial<Record<Coin, readonly string[]>>>;
  url(pair: string): string;
  /** The last price, and its time where the market gives one. @throws z.ZodError */
  parse(answer: unknown, pair: string): { readonly price: string; readonly at: number | null };
  /** What the last price of each step was. */
  readonly candles?: {
    url(pair: string, steps: PastSteps): string;
    /** @throws z.ZodError */
    parse(answer: unknown, pair: string): readonly Close[];
  };
}

const INTERVAL_MS = 60_000;

/** The source that reads the coins of a market every minute, and its candles for what their prices were. */
export function marketSource({ name, pairs, url, parse, candles }: Market): PriceSource {
  const listed = Object.entries(pairs).map(([coin, pairs]) => ({ asset: coinAsset(coin as Coin), pairs }));
  return {
    name,
    realm: 'live',
    intervalMs: INTERVAL_MS,
    quorum: QUORUM,
    requests: listed.map(({ asset, pairs }) =>
      pairs.map(pair => ({
        url: url(pair),
        parse: (answer: unknown) => [{ asset, ...parse(answer, pair) }],
      })),
    ),
    ...(candles && {
      past: listed.map(({ asset, pairs }) => ({
        asset,
        requests: (steps: PastSteps) =>
          pairs.map(pair => ({
            url: candles.url(pair, steps),
            parse: (answer: unknown) => candles.parse(answer, pair),
          })),
      })),
    }),
  };
}
