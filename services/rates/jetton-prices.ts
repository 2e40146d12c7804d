import type { PriceRealm } from '../../contracts/chain/prices';
import type { HintPrice } from '../../contracts/http/tokens/tokens';
import type { TonNetwork } from '../../contracts/network/network';
import { findPrices, PRICES_SOURCE } from '../../projections/rates/prices';
import type { Views } from '../../projections/views';
import { changeSince } from './change';
import type { DemandPrices } from './jetton-demand';
import { isPriced } from './prices';

/** Of a list: owners have any number of jettons that nobody trades. */
const MAX_DEMANDED = 100;

/** The prices of jettons, in dollars, for lists of tokens, which wait for none. @param demand has them read */
export function createJettonPrices(views: Pick<Views, 'getMany'>, realm: PriceRealm, demand: DemandPrices) {
  return {
    source: PRICES_SOURCE,

    /** By raw address of the master, of those that have one. */
    async find(network: TonNetwork, masters: readonly string[]): Promise<ReadonlyMap<string, HintPrice>> {
      void demand(masters.slice(0, MAX_DEMANDED).map(master => ({ network, master })));
      const assets = masters.map(master => ({ type: 'jetton', network, master }) as const);
      const found = await findPrices(views, realm, assets);
      return new Map(
        found.flatMap((document, place) => {
          if (!isPriced(document)) return [];
          const { price, at } = document;
          const changed = (days: number) => {
            const change = changeSince(document, null, days);
            return change === null ? {} : { USD: change };
          };
          const hint: HintPrice = {
            prices: { USD: Number(price) },
            diff24h: changed(1),
            diff7d: changed(7),
            diff30d: changed(30),
            at,
          };
          return [[masters[place]!, hint] as const];
        }),
      );
    },
  };
}
