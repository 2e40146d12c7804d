import { WAIT_BYTES } from '../memory-use';
import { exchangeBounds, MAX_WAITING } from './exchange/bounds';
import { exchangeCommands } from './exchange/commands';
import { exchangeMetrics } from './exchange/metrics';
import { EXCHANGE_ORDERS, EXCHANGE_REFRESHES } from '../../../contracts/http/exchange/orders';
import { EXCHANGE_ESTIMATES } from '../../../contracts/http/exchange/market';
import { z } from 'zod';
import { exchangeCurrenciesObservation } from '../../../indexers/exchange/observations/currencies';
import { exchangeOrdersProjection } from '../../../projections/exchange/orders';
import { createOrder } from '../../../services/exchange/order/create-endpoint';
import { createExchangeCurrencies } from '../../../services/exchange/market/currencies';
import { createEstimates } from '../../../services/exchange/market/estimates';
import { exchangeMarketRoutes } from '../../../services/exchange/market/routes';
import { createFollowOrder } from '../../../services/exchange/order/changes';
import { exchangeOrderRoutes } from '../../../services/exchange/order/routes';
import { exchangePageRoutes } from '../../../services/exchange/pages/routes';
import { createOrderRefresh } from '../../../services/exchange/tracking/refresh';
import { createWaitLimit } from '../../../services/reads/read-until';
import { PartnerUnavailable, type ExchangePartner } from '../../../contracts/ports/exchange-partner';
import { count, forTests } from '../../config/settings';
import { isDistributed } from '../../engines/engines';
import {
  checkExchangeSettings,
  EXCHANGE_SETTINGS,
  exchangeDouble,
  exchangePartner,
  hasLocalNetworksOnly,
  isPartnerConfigured,
} from './exchange/partner';
import type { Feature, ProgramDeps, Resource, Worker } from '../feature';
import { callerSource } from '../requests/caller-source';
import { rateLimits } from '../requests/rate-limits';

const pageUrl = z.url({ protocol: /^https?$/ });

const settings = {
  ...EXCHANGE_SETTINGS,
  MAX_UNPAID_EXCHANGE_ORDERS: count.default(5_000),
  /** Milliseconds that a request for an order waits for the partner; repeated, it waits again for the same order. */
  EXCHANGE_ORDER_WAIT_MS: forTests(count.default(10_000)),
  EXCHANGE_WIDGET_URL: pageUrl.default('https://widget.changelly.com/'),
  EXCHANGE_WIDGET_MERCHANT_ID: z.string().min(1).max(128).default('tidemark'),
  EXCHANGE_DEX_URL: pageUrl.default('https://dedust.io/'),
  EXCHANGE_DEX_SOURCE: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be at most 64 letters, digits, `_`, `.` and `-`')
    .default('tidemark'),
};

/** Where roles have processes of their own, others find the double in that of the local networks. */
const servesDouble: Worker = {
  role: 'networks',
  async start({ config, use }) {
    if (isDistributed(config) && hasLocalNetworksOnly(config) && !isPartnerConfigured(config))
      await use(exchangeDouble);
    return {};
  },
};

/** Exchange of currencies through a partner, and the pages of partners. */
export const exchange = exchangeWith(exchangePartner);

/** @param resource the partner; null where there is none */
export function exchangeWith(resource: Resource<ExchangePartner | null>): Feature {
  return {
    name: 'exchange',
    commands: exchangeCommands,
    settings,
    settingPrefixes: ['CHANGELLY_', 'EXCHANGE_DEX_', 'EXCHANGE_WIDGET_'],
    quotas: [EXCHANGE_ESTIMATES, EXCHANGE_ORDERS, EXCHANGE_REFRESHES],
    bounds: exchangeBounds,
    memory: [
      {
        of: 'requests for an exchange order that wait until it is placed',
        max: MAX_WAITING,
        bytesEach: WAIT_BYTES,
        besideConnection: true,
      },
    ],
    metrics: exchangeMetrics,
    checkSettings: checkExchangeSettings,
    clients: use => ({
      async exchange() {
        const partner = await use(resource);
        if (!partner) throw new PartnerUnavailable('no exchange partner is configured');
        return partner;
      },
    }),
    projections: [exchangeOrdersProjection],
    observations: [exchangeCurrenciesObservation],
    routes: deps => exchangeRoutes(deps, () => deps.use(resource)),
    workers: [servesDouble],
  };
}

async function exchangeRoutes(deps: ProgramDeps, partner: () => Promise<ExchangePartner | null>) {
  const { config, engine, engines, handle, clock, logger, signal } = deps;
  const { views } = engine;
  const { store } = engines;
  const set = config.of(settings);
  const sourceOf = await deps.use(callerSource);
  // A key that cannot be read stops the start; the double is opened when somebody asks.
  if (isPartnerConfigured(config)) await partner();
  const currencies = createExchangeCurrencies({
    views,
    currencies: deps.observed(exchangeCurrenciesObservation),
    partner,
  });
  const estimate = createEstimates({
    partner,
    currencies,
    limits: () => deps.use(rateLimits),
    now: () => clock().getTime(),
    signal,
  });
  const creating = {
    store,
    views,
    currencies,
    partner,
    estimate,
    handle,
    clock,
    sourceOf,
    maxUnpaid: set.MAX_UNPAID_EXCHANGE_ORDERS,
    follow: createFollowOrder({ store, logger }, signal),
    waitMs: set.EXCHANGE_ORDER_WAIT_MS,
    waitLimit: createWaitLimit(MAX_WAITING),
  };
  return [
    ...exchangeMarketRoutes({ currencies, estimate }),
    ...exchangeOrderRoutes({
      views,
      handle,
      clock,
      sourceOf,
      create: (body, caller) => createOrder(creating, body, caller),
      refresh: createOrderRefresh({
        store,
        handle,
        clock,
        logger,
        signal,
        partner: () => deps.sources.clients.exchange(),
      }),
      waitMs: deps.readWait.waitMs,
    }),
    ...exchangePageRoutes({
      widgetUrl: set.EXCHANGE_WIDGET_URL,
      widgetMerchantId: set.EXCHANGE_WIDGET_MERCHANT_ID,
      dexUrl: set.EXCHANGE_DEX_URL,
      dexSource: set.EXCHANGE_DEX_SOURCE,
    }),
  ];
}
