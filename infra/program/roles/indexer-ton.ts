import { TON_NETWORKS, type TonNetwork } from '../../../contracts/network';
import { leases } from '../../../indexers/lease';
import { createTonIndexer } from '../../../indexers/ton/indexer';
import { isDistributed } from '../../engines/engines';
import type { Metrics } from '../metrics';
import { endure } from './endure';
import { indexerCheck, indexerGauges } from './indexer-standing';
import type { Part, RoleDeps } from './role';

/** Follows the TON networks onto the log. */
export function indexTon({ config, engines, sources, metrics, logger, signal }: RoleDeps): Part {
  const alone = isDistributed(config) ? leases(engines.documents) : null;
  const indexers = TON_NETWORKS.map(network => {
    const { run, status } = createTonIndexer({
      ...engines,
      ...(alone && { exclusively: alone.exclusively }),
      network,
      source: sources.ton(network),
      logger,
      metrics: tonMetrics(metrics, network),
      scope: config.INDEX_SCOPE,
    });
    return { network, status, ...endure(() => run(signal), { logger, signal }) };
  });
  return {
    done: Promise.all(indexers.map(({ done }) => done)),
    checks: indexers.map(({ network, ...indexer }) => indexerCheck(`indexer-ton ${network}`, indexer, alone)),
    refresh() {
      for (const { network, status } of indexers) indexerGauges(metrics, { chain: 'ton', network }, status());
    },
  };
}

export function tonMetrics(metrics: Metrics, network: TonNetwork) {
  return {
    published: (count: number) => metrics.published.inc({ chain: 'ton', network }, count),
    deadLetters: (count: number) => metrics.deadLetters.inc({ chain: 'ton', network }, count),
  };
}
