import { z } from 'zod';
import { urlText } from '../url/url-text';
import { COINS, PRICE_REALMS, type Coin, type PriceRealm } from './prices';

/** A coin that facts are observed of, and where. */
export interface TokenFactsSubject {
  readonly realm: PriceRealm;
  readonly coin: Coin;
}

const number = z.number().nullable();
const amount = z.number().min(0).nullable();

/** What a source says of a coin beside its price; null is what it does not say. Amounts are those of display: nobody computes with them. */
export const tokenFacts = z.object({
  /** Such as `coingecko`. */
  source: z.string().min(1).max(40),
  name: z.string().min(1).max(100),
  symbol: z.string().min(1).max(20),
  slug: z.string().min(1).max(100),
  rank: z.int().min(1).nullable(),
  /** Whole coins. */
  circulatingSupply: amount,
  totalSupply: amount,
  maxSupply: amount,
  /** Dollars. */
  price: amount,
  marketCap: amount,
  fullyDilutedMarketCap: amount,
  volume24h: amount,
  /** Percent. */
  change1h: number,
  change24h: number,
  change7d: number,
  change30d: number,
  /** A day. */
  since: z.iso.date().nullable(),
  /** RFC 3339 instant of the figures. */
  at: z.iso.datetime(),
  description: z.string().max(4_000).nullable(),
  homepage: urlText({ max: 500, protocol: /^https$/ }).nullable(),
});
export type TokenFacts = z.output<typeof tokenFacts>;

/** @throws Error when it is no subject */
export function parseTokenFactsSubject(text: string): TokenFactsSubject {
  const [realm, coin] = text.split('/');
  const subject = {
    realm: PRICE_REALMS.find(known => known === realm),
    coin: COINS.find(known => known === coin),
  };
  if (!subject.realm || !subject.coin) throw new Error(`not a coin of a realm: ${text}`);
  return { realm: subject.realm, coin: subject.coin };
}
