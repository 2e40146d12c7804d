import { exchangeCurrenciesObservation } from '../../../indexers/exchange/observations/currencies';
import { createExchangeCurrencies } from '../../../services/exchange/currencies';
import { exchangeMarketRoutes } from '../../../services/exchange/market-routes';
import { isDistributed } from '../../engines/engines';
import {
  checkExchangeSettings,
  EXCHANGE_SETTINGS,
  exchangeDouble,
  exchangePartner,
  hasLocalNetworksOnly,
  isPartnerConfigured,
  type ExchangeConfig,
} from '../exchange';
import type { Feature, Worker } from '../feature';
import { rateLimits } from '../rate-limits';

/** Where roles have processes of their own, others find the double in that of the local networks. */
const servesDouble: Worker<ExchangeConfig> = {
  role: 'networks',
  async start({ config, use }) {
    if (isDistributed(config) && hasLocalNetworksOnly(config) && !isPartnerConfigured(config))
      await use(exchangeDouble);
    return {};
  },
};

/** Exchange of currencies through a partner. */
export const exchange: Feature<ExchangeConfig> = {
  name: 'exchange',
  settings: EXCHANGE_SETTINGS,
  checkSettings: checkExchangeSettings,
  observations: [exchangeCurrenciesObservation],
  async routes(deps) {
    // A key that cannot be read stops the start; the double is opened when somebody asks.
    if (isPartnerConfigured(deps.config)) await deps.use(exchangePartner);
    const partner = () => deps.use(exchangePartner);
    const currencies = createExchangeCurrencies({
      views: deps.engine.views,
      currencies: deps.observed(exchangeCurrenciesObservation),
      partner,
    });
    return exchangeMarketRoutes({
      partner,
      currencies,
      limits: () => deps.use(rateLimits),
      now: () => deps.clock().getTime(),
      signal: deps.signal,
    });
  },
  workers: [servesDouble],
};
