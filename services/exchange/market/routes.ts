import { estimateExchange, exchangeCurrencies } from '../../../contracts/http/exchange/market';
import type { PartnerEstimate } from '../../../contracts/ports/exchange-partner';
import { bind, type Binding } from '../../http/binding';
import type { ExchangeCurrencies } from './currencies';
import type { Estimate } from './estimates';

export interface ExchangeMarketDeps {
  readonly currencies: Pick<ExchangeCurrencies, 'listed'>;
  readonly estimate: Estimate;
}

/** What can be exchanged, and for how much. */
export function exchangeMarketRoutes({ currencies, estimate }: ExchangeMarketDeps): Binding[] {
  return [
    bind(exchangeCurrencies, ({ query }) => currencies.listed(query.currencyTo)),
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
