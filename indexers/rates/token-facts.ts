import { z } from 'zod';
import { parseUrl } from '../../contracts/url/parse-url';
import { LOCAL_MARKET_ORIGIN } from '../../contracts/chain/local-market';
import { parseTokenFactsSubject, tokenFacts, type TokenFacts } from '../../contracts/chain/token-facts';
import { defineObservation } from '../../contracts/observation/observation';
import { COINGECKO_IDS } from './sources/coingecko';
import { readJson } from '../../contracts/json/read-json';

const MAX_BYTES = 512 * 1024;
const TIMEOUT_MS = 5_000;
const MAX_DESCRIPTION = 4_000;

const coingeckoUrl = (id: string): string =>
  `https://api.coingecko.com/api/v3/coins/${id}?localization=false&tickers=false&community_data=false&developer_data=false`;

const unknown = <T extends z.ZodType>(type: T) => type.nullish().transform(value => value ?? null);
const amount = unknown(z.number().min(0));
const inDollars = <T extends z.ZodType>(value: T) =>
  z
    .object({ usd: value })
    .partial()
    .nullish()
    .transform(given => (given?.usd ?? null) as z.output<T> | null);
const percent = unknown(z.number());

const coingeckoAnswer = (id: string) =>
  z.object({
    id: z.literal(id),
    name: z.string(),
    symbol: z.string(),
    market_cap_rank: unknown(z.int().min(1)),
    genesis_date: unknown(z.iso.date()),
    last_updated: z.iso.datetime(),
    description: z.object({ en: z.string().optional() }).optional(),
    links: z.object({ homepage: z.array(z.string()).optional() }).optional(),
    market_data: z.object({
      current_price: inDollars(z.number().positive()),
      market_cap: inDollars(z.number().min(0)),
      fully_diluted_valuation: inDollars(z.number().min(0)),
      total_volume: inDollars(z.number().min(0)),
      circulating_supply: amount,
      total_supply: amount,
      max_supply: amount,
      price_change_percentage_1h_in_currency: inDollars(z.number()),
      price_change_percentage_24h: percent,
      price_change_percentage_7d: percent,
      price_change_percentage_30d: percent,
    }),
  });

function coingeckoFacts(id: string, answer: unknown): TokenFacts {
  const coin = coingeckoAnswer(id).parse(answer);
  const market = coin.market_data;
  const homepage = coin.links?.homepage?.find(url => url.startsWith('https://') && parseUrl(url) !== null);
  return {
    source: 'coingecko',
    name: coin.name,
    symbol: coin.symbol.toUpperCase(),
    slug: id,
    rank: coin.market_cap_rank,
    circulatingSupply: market.circulating_supply,
    totalSupply: market.total_supply,
    maxSupply: market.max_supply,
    price: market.current_price,
    marketCap: market.market_cap,
    fullyDilutedMarketCap: market.fully_diluted_valuation,
    volume24h: market.total_volume,
    change1h: market.price_change_percentage_1h_in_currency,
    change24h: market.price_change_percentage_24h,
    change7d: market.price_change_percentage_7d,
    change30d: market.price_change_percentage_30d,
    since: coin.genesis_date,
    at: coin.last_updated,
    // It has markup, which wallets do not show.
    description: coin.description?.en?.replace(/<[^<>]*>/g, '').slice(0, MAX_DESCRIPTION) || null,
    homepage: homepage ?? null,
  };
}

/** What is known of a coin beside its price. A local network has its own facts, made up by its market. */
export const tokenFactsObservation = defineObservation({
  kind: 'token.facts',
  subject: { format: ({ realm, coin }) => `${realm}/${coin}`, parse: parseTokenFactsSubject },
  schema: tokenFacts,
  // The public limit is a handful a minute.
  source: { name: 'token-facts', maxConcurrent: 1, maxPerSecond: 1 },
  minAgeMs: 30_000,
  staleAfterMs: 600_000,
  ages: false,
  async read({ web }, { realm, coin }, signal) {
    const id = COINGECKO_IDS[coin];
    const url = realm === 'live' ? coingeckoUrl(id) : `${LOCAL_MARKET_ORIGIN}/coins/${coin}.json`;
    const bytes = await web.get(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal });
    const answer: unknown = readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { height: null, data: realm === 'live' ? coingeckoFacts(id, answer) : tokenFacts.parse(answer) };
  },
});
