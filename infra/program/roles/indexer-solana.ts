import { SOLANA_NETWORKS, type SolanaNetwork } from '../../../contracts/network';
import { leases } from '../../../indexers/lease';
import { runSolanaIndexer, type SolanaIndexer } from '../../../indexers/solana/indexer';
import { rpcSource } from '../../../indexers/solana/rpc-source';
import type { SolanaIndexerHooks } from '../../../indexers/solana/status';
import { isDistributed } from '../../engines/engines';
import type { Metrics } from '../metrics';
import { endure } from './endure';
import { indexerCheck, indexerGauges } from './indexer-standing';
import type { Part, RoleDeps } from './role';

/** Follows the Solana networks onto the log. */
export function indexSolana({ config, engines, sources, metrics, logger, signal }: RoleDeps): Part {
  const alone = isDistributed(config) ? leases(engines.documents) : null;
  const indexers = SOLANA_NETWORKS.map(network => {
    const deps = {
      ...engines,
      ...(alone && { exclusively: alone.exclusively }),
      network,
      source: rpcSource(sources.solana(network)),
      scope: config.INDEX_SCOPE,
      logger,
      hooks: solanaHooks(metrics, network),
      signal,
    };
    let indexer: SolanaIndexer;
    const enduring = endure(() => (indexer = runSolanaIndexer(deps)).done, { logger, signal });
    return { network, status: () => indexer.status(), ...enduring };
  });
  return {
    done: Promise.all(indexers.map(({ done }) => done)),
    checks: indexers.map(({ network, ...indexer }) =>
      indexerCheck(`indexer-solana ${network}`, indexer, alone),
    ),
    refresh() {
      for (const { network, status } of indexers)
        indexerGauges(metrics, { chain: 'solana', network }, status());
    },
  };
}

export function solanaHooks(metrics: Metrics, network: SolanaNetwork): SolanaIndexerHooks {
  return {
    published: count => metrics.published.inc({ chain: 'solana', network }, count),
    deadLettered: count => metrics.deadLetters.inc({ chain: 'solana', network }, count),
  };
}
