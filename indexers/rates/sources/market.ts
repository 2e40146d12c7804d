import { coinAsset, type Coin } from '../../../contracts/chain/prices';
import type { PriceSource } from '../price-source';

/** A public market. A coin is sold there for dollars, or for a stablecoin that counts as a dollar. */
export interface Market {
  readonly name: string;
  /** The pairs of a coin, in the order in which they are asked for: a coin may be listed under a new name. */
  readonly pairs: Readonly<Partial<Record<Coin, readonly string[]>>>;
  url(pair: string): string;
  /** The last price, and its time where the market gives one. @throws z.ZodError */
  parse(answer: unknown, pair: string): { readonly price: string; readonly at: number | null };
}

const INTERVAL_MS = 60_000;
const QUORUM = 2;

export function marketSource({ name, pairs, url, parse }: Market): PriceSource {
  return {
    name,
    realm: 'live',
    intervalMs: INTERVAL_MS,
    quorum: QUORUM,
    requests: Object.entries(pairs).map(([coin, listed]) =>
      listed.map(pair => ({
        url: url(pair),
        parse: (answer: unknown) => [{ asset: coinAsset(coin as Coin), ...parse(answer, pair) }],
      })),
    ),
  };
}
