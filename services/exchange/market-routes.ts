import { estimateExchange, exchangeCurrencies } from '../../contracts/http/exchange-market';
import type { PartnerEstimate } from '../../contracts/ports/exchange-partner';
import { bind, type Binding } from '../http/binding';
import type { ExchangeCurrencies } from './currencies';
import { createEstimates, type EstimateDeps } from './estimates';

export interface ExchangeMarketDeps extends EstimateDeps {
  readonly currencies: ExchangeCurrencies;
}

/** What can be exchanged, and for how much. */
export function exchangeMarketRoutes(deps: ExchangeMarketDeps): Binding[] {
  const estimate = createEstimates(deps);
  return [
    bind(exchangeCurrencies, ({ query }) => deps.currencies.listed(query.currencyTo)),
    bind(estimateExchange, async call => {
      const { estimate: estimated, sandbox } = await estimate(call.body, call);
      const quote = quoteOf(estimated);
      return { id: call.requestId, jsonrpc: '2.0' as const, result: [quote], ...quote, sandbox };
    }),
  ];
}

const quoteOf = (estimate: PartnerEstimate) => ({
  ...estimate,
  min: estimate.minFrom,
  max: estimate.maxFrom,
});
