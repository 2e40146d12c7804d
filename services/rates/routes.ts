import { getPrice, getPriceChart, getRates, getTokenInfo, jettonRates } from '../../contracts/http/rates';
import type { Coin } from '../../contracts/chain/prices';
import type { TokenInfo } from '../../contracts/http/rates';
import { bind, type Binding } from '../http/binding';
import { networkOf, tonAccount } from '../../contracts/account/ton-account';
import { Reply } from '../http/call';
import { dataHeaders } from './data-headers';
import { createRateReads, type RatesDeps } from './reads';
import { coinOfId, coinOfName, tokenInfoOf, type TokenInfoDeps } from './token-info';

/** Prices of coins, currencies and jettons, from the quotes of several sources. */
export function ratesRoutes(deps: RatesDeps & TokenInfoDeps): Binding[] {
  const reads = createRateReads(deps);
  return [
    bind(getPrice, () => reads.price()),
    bind(getRates, ({ body: { network, tokens, currencies }, ip }) =>
      reads.rates({ network, tokens, currencies }, { ip }),
    ),
    bind(getPriceChart, ({ query, ip }) => reads.chart(query, { ip })),
    bind(jettonRates, ({ params, query, ip }) => {
      const { network, address } = tonAccount(params.key, networkOf(query.isTestnet), '/query/isTestnet');
      return reads.jetton(network, address, { ip });
    }),
    bind(getTokenInfo, async ({ body }) => {
      const infoOf = async (coin: Coin | null): Promise<TokenInfo | null> =>
        coin ? tokenInfoOf(deps, coin) : null;
      const { id, items } = body;
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
