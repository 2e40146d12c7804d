import {
  getPrice,
  getPriceChart,
  getRates,
  getTokenInfo,
  jettonRates,
  TOKEN_PRICES,
} from '../../contracts/http/rates';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { Coin } from '../../contracts/chain/prices';
import type { TokenInfo } from '../../contracts/http/rates';
import { bind, type Binding } from '../http/binding';
import { networkOf, tonAccount } from '../../contracts/account/ton-account';
import { Reply, type AnyCall } from '../http/call';
import { limitAddress } from '../http/limits';
import { dataHeaders } from './data-headers';
import { once } from './once';
import { createRateReads, type RatesDeps } from './reads';
import { coinOfId, coinOfName, tokenInfoOf, type TokenInfoDeps } from './token-info';

/** `limits` is opened at the first call. */
type RatesRoutesDeps = RatesDeps & TokenInfoDeps & { readonly limits: () => Promise<RateLimits> };

/** So many tokens of a call count as one. */
const TOKENS_PER_CALL = 10;

/** Prices of coins, currencies and jettons, from the quotes of several sources. */
export function ratesRoutes(deps: RatesRoutesDeps): Binding[] {
  const reads = createRateReads(deps);
  const limit = async (caller: Pick<AnyCall, 'ip' | 'appendHeader'>, tokens: number): Promise<void> =>
    limitAddress(await deps.limits(), TOKEN_PRICES, caller, Math.ceil(tokens / TOKENS_PER_CALL));
  return [
    bind(getPrice, () => reads.price()),
    bind(getRates, async call => {
      const { network, tokens, currencies } = call.body;
      await limit(call, tokens.length);
      return reads.rates({ network, tokens, currencies }, { ip: call.ip });
    }),
    bind(getPriceChart, ({ query, ip }) => reads.chart(query, { ip })),
    bind(jettonRates, ({ params, query, ip }) => {
      const { network, address } = tonAccount(params.key, networkOf(query.isTestnet), '/query/isTestnet');
      return reads.jetton(network, address, { ip });
    }),
    bind(getTokenInfo, async call => {
      const { id, items } = call.body;
      await limit(call, items?.length ?? 1);
      const infoOf = once(async (coin: Coin | null) => (coin ? tokenInfoOf(deps, coin) : null));
      const info = items
        ? await Promise.all(items.map(({ address }) => infoOf(coinOfName(address))))
        : await infoOf(coinOfId(id ?? ''));
      return new Reply(info, headersOf([info].flat()));
    }),
  ];
}

function headersOf(all: readonly (TokenInfo | null)[]): Record<string, string> {
  const known = all.filter(info => info !== null);
  return dataHeaders(
    known.map(({ source }) => source),
    known.map(({ data }) => data.last_updated),
  ).headers;
}
