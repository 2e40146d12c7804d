import {
  assetKey,
  coinAsset,
  COINS,
  CURRENCIES,
  currencyAsset,
  PRICE_STEPS,
  type Coin,
  type Currency,
  type PricedAsset,
  type PriceRealm,
} from '../../contracts/chain/prices';
import type {
  ChartPeriod,
  PriceChart,
  PriceResponse,
  RatesResponse,
  TokenRates,
} from '../../contracts/http/rates';
import type { TonNetwork } from '../../contracts/network/network';
import { findPrices } from '../../projections/rates/prices';
import type { Views } from '../../projections/views';
import { Reply } from '../http/call';
import { currencyOf, tokenAsset } from './assets';
import { changeSince } from './change';
import { chartPoints, CHART_STEPS } from './chart';
import type { Reader } from '../watch-account';
import type { DemandPrices } from './jetton-demand';
import { once } from './once';
import { createPricedReplies, type PricedReplyDeps } from './priced-reply';
import { evidenceOf, isPriced, priceIn, type Priced } from './prices';

export interface RatesDeps extends PricedReplyDeps {
  readonly views: PricedReplyDeps['views'] & Pick<Views, 'getMany'>;
  readonly realm: PriceRealm;
  /** Has prices of jettons read that are missing or old. */
  readonly demand: DemandPrices;
}

interface ChartQuery {
  readonly network: TonNetwork;
  /** The name of a coin, or the address of a jetton. */
  readonly token: string;
  readonly currency: Currency | typeof USD;
  readonly period: ChartPeriod;
}

interface RatesQuery {
  readonly network: TonNetwork;
  /** Names of coins, or addresses of jettons. */
  readonly tokens: readonly string[];
  /** Default: all. */
  readonly currencies: readonly string[] | undefined;
}

const USD = 'USD';

/** Prices as wallets ask for them: of coins, of any tokens in any currencies, of one jetton, and as a chart. */
export function createRateReads(deps: RatesDeps) {
  const { realm, demand } = deps;
  const { reply, waitingReply } = createPricedReplies(deps);

  const find: Find = assets => findPriced(deps, assets);

  return {
    /** Of all coins, and of dollars in all currencies. @throws Problem 503 */
    price: (): Promise<Reply<PriceResponse>> =>
      waitingReply(['prices', realm], async now => {
        const coins = named(COINS, await find(COINS.map(coinAsset)));
        if (!coins.has('TON')) return null;
        const currencies = named(CURRENCIES, await find(CURRENCIES.map(currencyAsset)));
        return {
          body: priceBody(coins, currencies, now),
          priced: [...coins.values(), ...currencies.values()],
        };
      }),

    /** @throws Problem 503 */
    async rates(
      { network, tokens, currencies: codes }: RatesQuery,
      reader?: Pick<Reader, 'ip'>,
    ): Promise<Reply<RatesResponse>> {
      await demand(tokens.map(name => tokenAsset(name, network)).filter(isJetton), reader);
      return waitingReply(['rates', realm, network, tokens, codes], async now => {
        if (!(await find([coinAsset('TON')]))[0]) return null;
        const assets = await pricedTokens(find, tokens, network);
        const currencies = await pricedCurrencies(find, codes);
        const shown = notDollars(currencies);
        return {
          body: {
            network,
            testnet: network === 'testnet',
            rates: record(
              assets,
              once(asset => ratesOf(asset, currencies)),
            ),
            evidence: record(
              new Map([...assets, ...shown]),
              once(priced => evidenceOf(priced, now)),
            ),
          },
          priced: [...new Set(assets.values()), ...shown.map(([, currency]) => currency)],
        };
      });
    },

    /** Without points when the token or the currency has no price. @throws Problem 503 */
    async chart(query: ChartQuery, reader?: Pick<Reader, 'ip'>): Promise<Reply<PriceChart>> {
      await demand([tokenAsset(query.token, query.network)].filter(isJetton), reader);
      return waitingReply(['price chart', realm, query], async now => {
        if (!(await find([coinAsset('TON')]))[0]) return null;
        const { network, token, currency: code, period } = query;
        const [asset] = await pricedTokens(find, [token], network);
        const [currency] = await pricedCurrencies(find, [code]);
        const shown = [asset, currency].flatMap(found => (found?.[1] ? [[found[0], found[1]] as const] : []));
        return {
          body: {
            ...query,
            stepSeconds: PRICE_STEPS[CHART_STEPS[period]] / 1_000,
            points: asset && currency ? chartPoints(asset[1], currency[1], period) : [],
            evidence: record(new Map(shown), priced => evidenceOf(priced, now)),
          },
          priced: shown.map(([, priced]) => priced),
        };
      });
    },

    /** In dollars and all currencies; null when it has no price. */
    async jetton(
      network: TonNetwork,
      master: string,
      reader?: Pick<Reader, 'ip'>,
    ): Promise<Reply<Record<string, number> | null>> {
      await demand([{ network, master }], reader);
      const found = await reply(['jetton price', realm, network, master], async () => {
        const [asset] = await find([{ type: 'jetton', network, master }]);
        if (!asset) return null;
        const currencies = await pricedCurrencies(find, undefined);
        return {
          body: record(currencies, currency => Number(priceIn(asset, currency))),
          priced: [asset, ...[...currencies.values()].filter(currency => currency !== null)],
        };
      });
      return found ?? new Reply(null);
    },
  };
}

type Find = (assets: readonly PricedAsset[]) => Promise<readonly (Priced | null)[]>;

/** @param coins with TON among them */
function priceBody(
  coins: ReadonlyMap<Coin, Priced>,
  currencies: ReadonlyMap<Currency, Priced>,
  now: number,
): PriceResponse {
  const usd = (coin: Coin) => {
    const found = coins.get(coin);
    return found && { usd: Number(found.price) };
  };
  const solana = usd('SOL');
  const usdy = usd('USDY');
  const gold = usd('XAUT');
  return {
    price: usd('TON')!,
    rates: { [USD]: 1, ...record(currencies, ({ price }) => Number(price)) },
    ...(solana && { solanaPrice: solana }),
    ...(usdy && { usdyPrice: usdy }),
    ...(gold && { xaut0Price: gold }),
    evidence: record(new Map<string, Priced>([...coins, ...currencies]), priced => evidenceOf(priced, now)),
  };
}

async function pricedTokens(
  find: Find,
  tokens: readonly string[],
  network: TonNetwork,
): Promise<ReadonlyMap<string, Priced>> {
  const asked = namedAssets(tokens, network);
  return named(
    asked.map(({ name }) => name),
    await find(asked.map(({ asset }) => asset)),
  );
}

/** Null is the price of dollars, which nobody needs to say. */
async function pricedCurrencies(
  find: Find,
  codes: readonly string[] | undefined,
): Promise<ReadonlyMap<string, Priced | null>> {
  const asked = codes?.map(code => code.toUpperCase()) ?? [USD, ...CURRENCIES];
  const known = asked.map(currencyOf).filter(currency => currency !== null);
  const priced = named(known, await find(known.map(currencyAsset)));
  return new Map([...(asked.includes(USD) ? [[USD, null] as const] : []), ...priced]);
}

const notDollars = (currencies: ReadonlyMap<string, Priced | null>) =>
  [...currencies].flatMap(([code, currency]) => (currency ? [[code, currency] as const] : []));

/** Those that can have a price, by the names that answers have. */
const namedAssets = (tokens: readonly string[], network: TonNetwork) =>
  tokens.flatMap(name => {
    const asset = tokenAsset(name, network);
    return asset ? [{ name: asset.type === 'coin' ? name.toUpperCase() : name, asset }] : [];
  });

/** The same price for the same asset, under whatever names it is asked for; null where it has none. */
async function findPriced(
  { views, realm }: Pick<RatesDeps, 'views' | 'realm'>,
  assets: readonly PricedAsset[],
): Promise<(Priced | null)[]> {
  const keys = assets.map(asset => assetKey(realm, asset));
  const byKey = new Map(assets.map((asset, at) => [keys[at], asset]));
  const found = await findPrices(views, realm, [...byKey.values()]);
  const priced = new Map([...byKey.keys()].map((key, at) => [key, found[at] ?? null]));
  return keys.map(key => {
    const price = priced.get(key) ?? null;
    return isPriced(price) ? price : null;
  });
}

function ratesOf(asset: Priced, currencies: ReadonlyMap<string, Priced | null>): TokenRates {
  const changes = (days: number): Record<string, string> =>
    Object.fromEntries(
      [...currencies].flatMap(([code, currency]) => {
        const change = changeSince(asset, currency, days);
        return change === null ? [] : [[code, change]];
      }),
    );
  return {
    prices: record(currencies, currency => Number(priceIn(asset, currency))),
    diff24h: changes(1),
    diff7d: changes(7),
    diff30d: changes(30),
  };
}

const isJetton = (asset: PricedAsset | null): asset is PricedAsset & { readonly type: 'jetton' } =>
  asset?.type === 'jetton';

/** Those that have a price, by their names. */
const named = <Name extends string>(
  names: readonly Name[],
  found: readonly (Priced | null)[],
): ReadonlyMap<Name, Priced> =>
  new Map(
    names.flatMap((name, place) => {
      const priced = found[place];
      return priced ? [[name, priced] as const] : [];
    }),
  );

const record = <From, To>(map: ReadonlyMap<string, From>, of: (from: From) => To): Record<string, To> =>
  Object.fromEntries([...map].map(([name, from]) => [name, of(from)]));
