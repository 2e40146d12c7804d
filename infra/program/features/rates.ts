import { z } from 'zod';
import { PRICES_TOPIC, type PriceRealm } from '../../../contracts/chain/prices';
import type { PriceSource } from '../../../indexers/rates/price-source';
import { readPriceSources } from '../../../indexers/rates/read-sources';
import { tokenFactsObservation } from '../../../indexers/rates/token-facts';
import { LIVE_PRICE_SOURCES, LOCAL_PRICE_SOURCES } from '../../../indexers/rates/sources';
import { pricesProjection } from '../../../projections/rates/prices';
import { ratesRoutes } from '../../../services/rates/routes';
import { ratesCommand } from '../../cli/rates';
import type { Feature, ProgramDeps, Worker } from '../feature';
import { openPriceFile, type PriceFile } from '../price-file';
import { jobHandlers } from '../roles/jobs';
import { list, type Config } from '../settings';

const settings = {
  RATE_SOURCES: list.pipe(z.array(z.enum(LIVE_PRICE_SOURCES.map(({ name }) => name)))).optional(),
  RATES_FILE: z.string().min(1).optional(),
};
type RatesConfig = Config & z.output<z.ZodObject<typeof settings>>;

/** Prices of the real markets would be wrong on a local network, whose coins have none. */
export function realmOf({ TON_RPC_URL_MAINNET: urls }: Config): PriceRealm {
  return urls ? 'live' : 'local';
}

/** A file of operators stands in for all that is not named beside it. */
function sourcesOf(config: RatesConfig, file: PriceFile | null): readonly PriceSource[] {
  const { RATE_SOURCES: names } = config;
  if (names)
    return [...(file ? [file.source] : []), ...LIVE_PRICE_SOURCES.filter(({ name }) => names.includes(name))];
  if (file) return [file.source];
  return realmOf(config) === 'local' ? LOCAL_PRICE_SOURCES : LIVE_PRICE_SOURCES;
}

const fileOf = ({ config, logger }: ProgramDeps<RatesConfig>): PriceFile | null =>
  config.RATES_FILE === undefined ? null : openPriceFile(config.RATES_FILE, realmOf(config), logger);

const priceReader = (file: PriceFile | null) =>
  jobHandlers<RatesConfig>('rates', ({ config, sources, engines, leases, logger }) => {
    const read = (signal: AbortSignal) =>
      readPriceSources(
        {
          sources: sourcesOf(config, file),
          web: sources.clients.web,
          log: engines.log,
          logger,
          now: Date.now,
        },
        signal,
      );
    return [signal => (leases ? leases.runExclusively('rates', read, signal) : read(signal))];
  });

/** Prices of coins, currencies and jettons: of public markets, of a file, or of the local market. */
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
    {
      role: 'jobs',
      async start(deps) {
        const file = fileOf(deps);
        const { checks = [], ...component } = await priceReader(file).start(deps);
        return { ...component, checks: [...checks, ...(file ? [file.check] : [])] };
      },
    } satisfies Worker<RatesConfig>,
  ],
  commands: [ratesCommand],
};
