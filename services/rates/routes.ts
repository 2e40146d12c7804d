import { getPrice, getRates, jettonRates } from '../../contracts/http/rates';
import { bind, type Binding } from '../http/binding';
import { networkOf, tonAccount } from '../ton-account';
import { createRateReads, type RatesDeps } from './reads';

/** Prices of coins, currencies and jettons, from the quotes of several sources. */
export function ratesRoutes(deps: RatesDeps): Binding[] {
  const reads = createRateReads(deps);
  return [
    bind(getPrice, () => reads.price()),
    bind(getRates, ({ body: { network, tokens, currencies } }) =>
      reads.rates({ network, tokens, currencies }),
    ),
    bind(jettonRates, ({ params, query }) => {
      const { network, address } = tonAccount(params.key, networkOf(query.isTestnet), '/query/isTestnet');
      return reads.jetton(network, address);
    }),
  ];
}
