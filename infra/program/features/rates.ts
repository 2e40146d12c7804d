import { z } from 'zod';
import { PRICES_TOPIC, type PriceRealm } from '../../../contracts/chain/prices';
import type { PriceSource } from '../../../indexers/rates/price-source';
import { readPriceSources } from '../../../indexers/rates/read-sources';
import { tokenFactsObservation } from '../../../indexers/rates/token-facts';
import { LIVE_PRICE_SOURCES, LOCAL_PRICE_SOURCES } from '../../../indexers/rates/sources';
import { pricesProjection } from '../../../projections/rates/prices';
import { ratesRoutes } from '../../../services/rates/routes';
import { ratesCommand } from '../../cli/rates';
import type { Feature } from '../feature';
import { jobHandlers } from '../roles/jobs';
import { list, type Config } from '../settings';

const settings = {
  RATE_SOURCES: list.pipe(z.array(z.enum(LIVE_PRICE_SOURCES.map(({ name }) => name)))).optional(),
};
type RatesConfig = Config & z.output<z.ZodObject<typeof settings>>;

/** Prices of the real markets would be wrong on a local network, whose coins have none. */
export function realmOf({ TON_RPC_URL_MAINNET: urls }: Config): PriceRealm {
  return urls ? 'live' : 'local';
}

function sourcesOf(config: RatesConfig): readonly PriceSource[] {
  if (realmOf(config) === 'local') return LOCAL_PRICE_SOURCES;
  const { RATE_SOURCES: names } = config;
  return names ? LIVE_PRICE_SOURCES.filter(({ name }) => names.includes(name)) : LIVE_PRICE_SOURCES;
}

/** Prices of coins, currencies and jettons: of public markets, or of the local one. */
export const rates: Feature<RatesConfig> = {
  name: 'rates',
  settings,
  checkSettings(config, context) {
    if (config.RATE_SOURCES && realmOf(config) === 'local')
      context.addIssue({
        code: 'custom',
        path: ['RATE_SOURCES'],
        message: 'must not be set without TON_RPC_URL_MAINNET: a local network has its own market',
      });
  },
  topics: [PRICES_TOPIC],
  projections: [pricesProjection],
  observations: [tokenFactsObservation],
  routes: ({ engine, config, clock, readWait, observed }) =>
    ratesRoutes({
      views: engine.views,
      realm: realmOf(config),
      facts: observed(tokenFactsObservation),
      clock,
      ...readWait,
    }),
  workers: [
    jobHandlers('rates', ({ config, sources, engines, leases, logger }) => {
      const read = (signal: AbortSignal) =>
        readPriceSources(
          { sources: sourcesOf(config), web: sources.clients.web, log: engines.log, logger, now: Date.now },
          signal,
        );
      return [signal => (leases ? leases.runExclusively('rates', read, signal) : read(signal))];
    }),
  ],
  commands: [ratesCommand],
};
