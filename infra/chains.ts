import type { Logger } from 'pino';
import { observationRequests, workObservations } from '../indexers/observe';
import { createEndpoints, type Endpoints } from '../indexers/solana/endpoints';
import { runSolanaIndexer, type SolanaIndexer } from '../indexers/solana/indexer';
import { solanaObservers } from '../indexers/solana/observers/observers';
import { rpcSource } from '../indexers/solana/rpc-source';
import { tonBackfillReaction } from '../indexers/ton/backfill-job';
import { workTonBackfills } from '../indexers/ton/backfill-worker';
import { createTonIndexer, type TonIndexer } from '../indexers/ton/indexer';
import type { TonSource } from '../indexers/ton/source/port';
import { createV4Source } from '../indexers/ton/source/v4';
import type { RequestObservation } from '../contracts/chain/observation';
import { SOLANA_NETWORKS, TON_NETWORKS, type SolanaNetwork, type TonNetwork } from '../contracts/network';
import { runReaction } from '../services/reaction';
import type { Config } from './config';
import type { Engines } from './engines';
import type { Metrics } from './metrics';
import type { Networks } from './networks';

export interface Chains {
  readonly ton: ReadonlyMap<TonNetwork, TonIndexer>;
  readonly solana: ReadonlyMap<SolanaNetwork, SolanaIndexer>;
  readonly request: RequestObservation;
  /** Settles when all has stopped after the signal; rejects when something can only be mended by the operator. */
  readonly done: Promise<unknown>;
}

export interface ChainDeps {
  readonly config: Config;
  readonly engines: Engines;
  readonly networks: Networks;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Follows all networks of both chains, works off back-fills and reads what is asked to be observed. */
export function followChains(deps: ChainDeps): Chains {
  const { engines, logger, signal } = deps;
  const { jobs, log } = engines;
  const sources = new Map(TON_NETWORKS.map(network => [network, tonSource(deps, network)]));
  const ton = new Map([...sources].map(([network, source]) => [network, tonIndexer(deps, network, source)]));
  const endpoints = Object.fromEntries(
    SOLANA_NETWORKS.map(network => [
      network,
      createEndpoints({ urls: deps.networks.solana[network], logger, signal }),
    ]),
  ) as Record<SolanaNetwork, Endpoints>;
  const solana = new Map(
    SOLANA_NETWORKS.map(network => [network, solanaIndexer(deps, network, endpoints[network])]),
  );
  const observers = solanaObservers(endpoints);

  const done = Promise.all([
    ...[...ton.values()].map(indexer => indexer.run(signal)),
    ...[...solana.values()].map(indexer => indexer.done),
    runReaction({ ...engines, logger }, tonBackfillReaction, signal),
    ...[...sources].map(([network, source]) =>
      workTonBackfills(
        { ...engines, network, source, logger, metrics: tonMetrics(deps.metrics, network) },
        signal,
      ),
    ),
    workObservations({ jobs, log, observers, logger, now: Date.now, signal }),
  ]).finally(() => Promise.all([...sources.values()].map(source => source.close())));
  return { ton, solana, request: observationRequests(jobs, observers), done };
}

const tonSource = ({ networks }: ChainDeps, network: TonNetwork): TonSource =>
  createV4Source({ endpoints: networks.ton[network] });

const tonMetrics = (metrics: Metrics, network: TonNetwork) => ({
  published: (count: number) => metrics.published.inc({ chain: 'ton', network }, count),
  deadLetters: (count: number) => metrics.deadLetters.inc({ chain: 'ton', network }, count),
});

const tonIndexer = (
  { config, engines, metrics, logger }: ChainDeps,
  network: TonNetwork,
  source: TonSource,
): TonIndexer =>
  createTonIndexer({
    ...engines,
    network,
    source,
    logger,
    metrics: tonMetrics(metrics, network),
    scope: config.INDEX_SCOPE,
  });

const solanaIndexer = (
  { config, engines, metrics, logger, signal }: ChainDeps,
  network: SolanaNetwork,
  endpoints: Endpoints,
): SolanaIndexer =>
  runSolanaIndexer({
    ...engines,
    network,
    source: rpcSource(endpoints),
    scope: config.INDEX_SCOPE,
    logger,
    hooks: {
      published: count => metrics.published.inc({ chain: 'solana', network }, count),
      deadLettered: count => metrics.deadLetters.inc({ chain: 'solana', network }, count),
    },
    signal,
  });
