import { rateCommands } from './rates/commands';
import { z } from 'zod';
import { coinAsset, currencyAsset, PRICES_TOPIC, type PriceRealm } from '../../../contracts/chain/prices';
import { TOKEN_PRICES } from '../../../contracts/http/rates';
import type { TonNetwork } from '../../../contracts/network/network';
import type { Clients } from '../../../contracts/observation/observation';
import { Problem } from '../../../contracts/problem/problem';
import { localPriceOfTon } from '../../../indexers/ton/pools/local-coin';
import { jettonHasPool } from '../../../indexers/ton/pools/has-pool';
import { workPoolPrices } from '../../../indexers/ton/pools/worker';
import { QUORUM, type PriceSource } from '../../../indexers/rates/price-source';
import { readPriceSources } from '../../../indexers/rates/read-sources';
import { tokenFactsObservation } from '../../../indexers/rates/token-facts';
import {
  COIN_SOURCES,
  CURRENCY_SOURCES,
  LIVE_PRICE_SOURCES,
  localPriceSources,
} from '../../../indexers/rates/sources';
import { findPrices, PRICES_SOURCE, pricesProjection } from '../../../projections/rates/prices';
import type { Binding } from '../../../services/http/binding';
import { createJettonDemand, type DemandPrices } from '../../../services/rates/jetton-demand';
import { createJettonPrices } from '../../../services/rates/jetton-prices';
import { currencyOf } from '../../../services/rates/assets';
import { isPriced, isStale, priceIn, type Priced } from '../../../services/rates/prices';
import type { Views } from '../../../projections/views';
import { ratesRoutes } from '../../../services/rates/routes';
import type { JettonPrices } from '../../../services/tokens/deps';
import { rateLimits } from '../requests/rate-limits';
import type { Feature, ProgramDeps, Resource, Worker } from '../feature';
import { networkMode } from '../../config/network-settings';
import { openPriceFile, type PriceFile } from './rates/price-file';
import { exclusively, jobHandlers } from '../roles/jobs';
import { list, type Config } from '../../config/settings';

const settings = {
  PRICE_SOURCES: list.pipe(z.array(z.enum(LIVE_PRICE_SOURCES.map(({ name }) => name)))).optional(),
  PRICE_FILE: z.string().min(1).optional(),
};
const TON_MAINNET = { chain: 'ton', network: 'mainnet' } as const;
const SOLANA_MAINNET = { chain: 'solana', network: 'mainnet' } as const;

/** Prices of the real markets would be wrong on a local network, whose coins have none. */
function realmOf(config: Config): PriceRealm {
  return networkMode(config, TON_MAINNET) === 'local' ? 'local' : 'live';
}

/** Prices come with the local mainnet of TON or with a real main network. Where both are off there are those that are named. */
function hasPrices(config: Config): boolean {
  const { PRICE_SOURCES, PRICE_FILE } = config.of(settings);
  return (
    realmOf(config) === 'local' ||
    [TON_MAINNET, SOLANA_MAINNET].some(at => networkMode(config, at) === 'real') ||
    (PRICE_SOURCES ?? PRICE_FILE) !== undefined
  );
}

const withoutPrices = (binding: Binding): Binding => ({
  ...binding,
  async handle() {
    throw new Problem(
      'network_off',
      'This instance has no prices: they come with TON mainnet, which it does not serve, and it names no other source of them.',
    );
  },
});

/** A file of operators stands in for all that is not named beside it. */
function isFileAlone(config: Config): boolean {
  const { PRICE_FILE: file, PRICE_SOURCES: names } = config.of(settings);
  return file !== undefined && !names;
}

function sourcesOf(config: Config, file: PriceFile | null, { ton }: Clients): readonly PriceSource[] {
  const { PRICE_SOURCES: names } = config.of(settings);
  if (names)
    return [...(file ? [file.source] : []), ...LIVE_PRICE_SOURCES.filter(({ name }) => names.includes(name))];
  if (file) return [file.source];
  if (realmOf(config) === 'live') return LIVE_PRICE_SOURCES;
  return localPriceSources(config.LOCAL_TRAFFIC ? () => localPriceOfTon(ton('mainnet')) : null);
}

function fileOf({ config, logger }: ProgramDeps): PriceFile | null {
  const { PRICE_FILE: file, PRICE_SOURCES: names } = config.of(settings);
  const isTonElsewhere = COIN_SOURCES.some(({ name }) => names?.includes(name));
  return file === undefined ? null : openPriceFile(file, { realm: realmOf(config), isTonElsewhere }, logger);
}

const priceReader = (file: PriceFile | null) =>
  jobHandlers('rates', ({ config, sources, networks, engine, engines, leases, clock, logger }) => {
    if (!hasPrices(config)) return [];
    const { clients } = sources;
    const realm = realmOf(config);
    const now = (): number => clock().getTime();
    const read = (signal: AbortSignal) =>
      readPriceSources(
        {
          sources: sourcesOf(config, file, clients),
          web: clients.web,
          log: engines.log,
          logger,
          now,
        },
        signal,
      );
    const pools = {
      networks: networks.followed.ton,
      realm,
      clients,
      jobs: engines.jobs,
      log: engines.log,
      now,
      async priceOfTon() {
        const [price = null] = await findPrices(engine.views, realm, [coinAsset('TON')]);
        return isPriced(price) ? price : null;
      },
    };
    return [
      exclusively({ leases }, 'rates', read),
      ...(isFileAlone(config) ? [] : [(signal: AbortSignal) => workPoolPrices(pools, signal)]),
    ];
  });

/** Prices of jettons for lists of tokens. */
export const jettonPrices: Resource<JettonPrices> = {
  open: async ({ engine, config, use }) =>
    hasPrices(config)
      ? createJettonPrices(engine.views, realmOf(config), await use(jettonDemand))
      : { source: PRICES_SOURCE, find: async () => new Map() },
};

type PricesOf = (jetton: { readonly network: TonNetwork; readonly master: string }) => Promise<{
  readonly jetton: Priced | null;
  readonly ton: Priced | null;
}>;

/** The prices of a jetton (a raw master) and of TON, in dollars, as far as they are known. */
export async function knownPrices(
  views: Pick<Views, 'getMany'>,
  config: Config,
  jetton: Parameters<PricesOf>[0],
): ReturnType<PricesOf> {
  const assets = [{ type: 'jetton', ...jetton } as const, coinAsset('TON')];
  const [ofJetton = null, ofTon = null] = await findPrices(views, realmOf(config), assets);
  return { jetton: isPriced(ofJetton) ? ofJetton : null, ton: isPriced(ofTon) ? ofTon : null };
}

/** The prices of a jetton (a raw master) and of TON, in dollars, after the jetton's was read again where it is old. */
export const jettonAndTon: Resource<PricesOf> = {
  async open({ engine: { views }, config, use }) {
    if (!hasPrices(config)) return async () => ({ jetton: null, ton: null });
    const demand = await use(jettonDemand);
    return async jetton => {
      await demand([jetton]);
      return knownPrices(views, config, jetton);
    };
  },
};

const DOLLARS = 'USD';

/** What a TON costs in a currency, a decimal; null while no price is known that is current. @param code upper case */
export async function tonPriceIn(
  { config, engine, clock }: Pick<ProgramDeps, 'config' | 'engine' | 'clock'>,
  code: string,
): Promise<string | null> {
  if (code === 'TON') return '1';
  const currency = currencyOf(code);
  if (currency === null && code !== DOLLARS) return null;
  const assets = [coinAsset('TON'), ...(currency ? [currencyAsset(currency)] : [])];
  const found = hasPrices(config) ? await findPrices(engine.views, realmOf(config), assets) : [];
  const current = found.flatMap(price =>
    isPriced(price) && !isStale(price, clock().getTime()) ? [price] : [],
  );
  const [ton, rate = null] = current;
  return ton && current.length === assets.length ? priceIn(ton, rate) : null;
}

/** Has prices of jettons read: all groups that show them share what was asked for. */
const jettonDemand: Resource<DemandPrices> = {
  async open({ engine, engines, config, clock, logger, readWait, unrecorded, use }) {
    if (isFileAlone(config) || !hasPrices(config)) return async () => undefined;
    const realm = realmOf(config);
    return createJettonDemand({
      views: engine.views,
      jobs: engines.jobs,
      hasPool: unrecorded(jettonHasPool(realm)),
      limits: () => use(rateLimits),
      realm,
      clock,
      logger,
      ...readWait,
    });
  },
};

/** Prices of coins, currencies and jettons: of public markets and pools, of a file, or of local ones. */
export const rates: Feature = {
  name: 'rates',
  commands: rateCommands,
  settings,
  renamedSettings: { RATES_FILE: 'PRICE_FILE', RATE_SOURCES: 'PRICE_SOURCES' },
  checkSettings(config, context) {
    const { PRICE_SOURCES } = config.of(settings);
    if (PRICE_SOURCES && realmOf(config) === 'local')
      context.addIssue({
        code: 'custom',
        path: ['PRICE_SOURCES'],
        message: 'must not be set without TON_RPC_URL_MAINNET: a local network has its own market',
      });
    for (const sources of [COIN_SOURCES, CURRENCY_SOURCES]) {
      const named = sources.map(({ name }) => name).filter(name => PRICE_SOURCES?.includes(name));
      if (named.length > 0 && named.length < QUORUM)
        context.addIssue({
          code: 'custom',
          path: ['PRICE_SOURCES'],
          message: `${named.join(' and ')} would never make a price: name ${QUORUM} of a kind, or none`,
        });
    }
  },
  firstCalls: (config, { url }) =>
    hasPrices(config)
      ? ['What coins cost (a new ledger knows it after some seconds):', `  curl -s ${url}/v2/price`]
      : [],
  quotas: [TOKEN_PRICES],
  topics: [PRICES_TOPIC],
  projections: [pricesProjection],
  observations: [tokenFactsObservation],
  async routes(deps) {
    const bindings = ratesRoutes({
      views: deps.engine.views,
      realm: realmOf(deps.config),
      facts: deps.observed(tokenFactsObservation),
      demand: await deps.use(jettonDemand),
      limits: () => deps.use(rateLimits),
      clock: deps.clock,
      ...deps.readWait,
    });
    return hasPrices(deps.config) ? bindings : bindings.map(withoutPrices);
  },
  workers: [
    {
      role: 'jobs',
      async start(deps) {
        const file = fileOf(deps);
        const { checks = [], ...component } = await priceReader(file).start(deps);
        return { ...component, checks: [...checks, ...(file ? [file.check] : [])] };
      },
    } satisfies Worker,
  ],
};
