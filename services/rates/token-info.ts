import { coinAsset, COINS, type Coin, type PriceRealm } from '../../contracts/chain/prices';
import type { TokenFacts, TokenFactsSubject } from '../../contracts/chain/token-facts';
import type { TokenInfo } from '../../contracts/http/rates';
import type { Observed, ObservedReader } from '../../contracts/observation/reader';
import { findPrices } from '../../projections/rates/prices';
import type { Views } from '../../projections/views';
import { tokenAsset } from './assets';
import { percentSince } from './change';
import { isPriced, isStale, type Priced } from './prices';

/** The ids of CoinMarketCap, by which wallets ask. */
const IDS: Readonly<Record<Coin, number>> = { TON: 11419, SOL: 5426, USDY: 29256, XAUT: 5176 };

/** Ids of what is the same coin on another chain: XAUt0, which wallets list beside its price. */
const OTHER_IDS: Readonly<Record<string, Coin>> = { 37082: 'XAUT' };

/** The coin that CoinMarketCap has under an id; null for any other id. */
export function coinOfId(id: string): Coin | null {
  return OTHER_IDS[id] ?? COINS.find(coin => String(IDS[coin]) === id) ?? null;
}

/** Of the name of a coin; null for what nothing is known of beside its price. */
export function coinOfName(name: string): Coin | null {
  const asset = tokenAsset(name, 'mainnet');
  return asset?.type === 'coin' ? asset.coin : null;
}

export interface TokenInfoDeps {
  readonly views: Pick<Views, 'getMany'>;
  readonly realm: PriceRealm;
  readonly facts: ObservedReader<TokenFactsSubject, TokenFacts>;
}

/**
 * What a source says of a coin, with our own price of it and its changes unless that was stale when the source said it.
 * @throws Problem 503 `not_ready`
 */
export async function tokenInfoOf({ views, realm, facts }: TokenInfoDeps, coin: Coin): Promise<TokenInfo> {
  const observed = await facts.read({ realm, coin });
  const [priced = null] = await findPrices(views, realm, [coinAsset(coin)]);
  const isCurrent = isPriced(priced) && !isStale(priced, Date.parse(observed.data.at));
  return infoOf(coin, observed, isCurrent ? priced : null);
}

function infoOf(
  coin: Coin,
  { data: facts, at: readAt }: Observed<TokenFacts>,
  priced: Priced | null,
): TokenInfo {
  const unknown: string[] = ['num_market_pairs', 'volume_change_24h', 'market_cap_dominance'];
  const known = (field: string, value: number | null): number => {
    if (value === null) unknown.push(field);
    return value ?? 0;
  };
  const change = (field: string, days: number, said: number | null): number =>
    known(field, (priced && percentSince(priced, days)) ?? said);
  if (facts.since === null) unknown.push('date_added');
  return {
    description: facts.description === null ? null : descriptionOf(facts, facts.description),
    data: {
      _id: IDS[coin],
      name: facts.name,
      symbol: facts.symbol,
      slug: facts.slug,
      is_active: 1,
      is_fiat: 0,
      cmc_rank: known('cmc_rank', facts.rank),
      num_market_pairs: 0,
      circulating_supply: known('circulating_supply', facts.circulatingSupply),
      total_supply: known('total_supply', facts.totalSupply),
      max_supply: facts.maxSupply,
      date_added: facts.since === null ? readAt : `${facts.since}T00:00:00.000Z`,
      last_updated: facts.at,
      tags: [],
      platform: null,
      quote: {
        USD: {
          price: known('price', priced ? Number(priced.price) : facts.price),
          volume_24h: known('volume_24h', facts.volume24h),
          volume_change_24h: 0,
          market_cap: known('market_cap', facts.marketCap),
          market_cap_dominance: 0,
          fully_diluted_market_cap: known('fully_diluted_market_cap', facts.fullyDilutedMarketCap),
          percent_change_1h: known('percent_change_1h', facts.change1h),
          percent_change_24h: change('percent_change_24h', 1, facts.change24h),
          percent_change_7d: change('percent_change_7d', 7, facts.change7d),
          percent_change_30d: change('percent_change_30d', 30, facts.change30d),
          last_updated: facts.at,
        },
      },
    },
    source: facts.source,
    unknown,
  };
}

const descriptionOf = ({ name, homepage }: TokenFacts, description: string) => ({
  title: name,
  description,
  items: homepage === null ? [] : [{ type: 'link' as const, title: 'Website', url: homepage }],
});
