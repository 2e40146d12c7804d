import { TON_NETWORKS, type TonNetwork } from '../../contracts/network';
import { leases } from '../../indexers/lease';
import { createTonIndexer } from '../../indexers/ton/indexer';
import { isDistributed } from '../engines';
import type { Metrics } from '../metrics';
import { indexerCheck, indexerGauges } from './indexer-standing';
import type { Part, RoleDeps } from './role';

/** Follows the TON networks onto the log. */
export function indexTon({ config, engines, sources, metrics, logger, signal }: RoleDeps): Part {
  const alone = isDistributed(config) ? leases(engines.documents) : null;
  const indexers = TON_NETWORKS.map(network => ({
    network,
    ...createTonIndexer({
      ...engines,
      ...(alone && { exclusively: alone.exclusively }),
      network,
      source: sources.ton(network),
      logger,
      metrics: tonMetrics(metrics, network),
      scope: config.INDEX_SCOPE,
    }),
  }));
  return {
    done: Promise.all(indexers.map(indexer => indexer.run(signal))),
    checks: indexers.map(({ network, status }) => indexerCheck(`indexer-ton ${network}`, status, alone)),
    refresh() {
      for (const { network, status } of indexers) indexerGauges(metrics, { chain: 'ton', network }, status());
    },
  };
}

export const tonMetrics = (metrics: Metrics, network: TonNetwork) => ({
  published: (count: number) => metrics.published.inc({ chain: 'ton', network }, count),
  deadLetters: (count: number) => metrics.deadLetters.inc({ chain: 'ton', network }, count),
});
