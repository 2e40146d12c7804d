import type { Feature } from '../feature';
import { checkExchangeSettings, EXCHANGE_SETTINGS, type ExchangeConfig } from '../exchange';

/** Exchange of currencies through a partner. */
export const exchange: Feature<ExchangeConfig> = {
  name: 'exchange',
  settings: EXCHANGE_SETTINGS,
  checkSettings: checkExchangeSettings,
};
