import type { FollowedNetworks } from '../../../contracts/network/network';
import type { Indexer, IndexerMetrics } from '../../../indexers/indexer';
import type { RunExclusively } from '../../../indexers/lease';
import type { Check } from '../health/health';
import type { ProgramDeps, Worker } from '../feature';
import type { Metrics } from '../metrics/metrics';
import { supervise, type Supervised } from '../supervise';

/**
 * Runs the indexers of a chain, one for each network; of several processes one runs each.
 * @param networksOf those of the chain that the instance serves
 */
export function indexerWorker<Network extends string>(
  chain: string,
  networksOf: (followed: FollowedNetworks) => readonly Network[],
  create: (deps: ProgramDeps, network: Network, exclusively: RunExclusively | undefined) => Indexer,
): Worker {
  return {
    role: `indexer-${chain}`,
    start(deps) {
      const { leases, metrics, logger, signal } = deps;
      const indexers = networksOf(deps.networks.followed).map(network => {
        const { run, status } = create(deps, network, leases?.runExclusively);
        return { network, status, ...supervise(() => run(signal), { logger, signal }) };
      });
      return {
        done: Promise.all(indexers.map(({ done }) => done)),
        checks: indexers.map(indexer => checkOf(`indexer-${chain} ${indexer.network}`, indexer, deps)),
        refresh() {
          for (const { network, status } of indexers) {
            const { indexedHeight, lag, gap } = status();
            metrics.indexedHeight.set({ chain, network }, indexedHeight ?? 0);
            metrics.indexerLag.set({ chain, network }, lag ?? 0);
            metrics.indexerStalled.set({ chain, network }, gap ? 1 : 0);
          }
        },
      };
    },
  };
}

/** An indexer that another process runs counts as well here. @param lease its name */
function checkOf(
  lease: string,
  { unavailable, status }: Pick<Supervised, 'unavailable'> & Pick<Indexer, 'status'>,
  { leases }: ProgramDeps,
): Check {
  return {
    name: lease.replace(/\W/g, '_'),
    vital: false,
    async run() {
      const reason = unavailable();
      if (reason !== null) return reason;
      if (leases && !leases.holds(lease)) return null;
      const { indexedHeight, gap } = status();
      if (gap) return gap.reason;
      return indexedHeight === null ? 'has not started yet' : null;
    },
  };
}

/** Counts what the indexer of a network and its backfills publish. */
export function indexerMetrics(
  metrics: Pick<Metrics, 'published' | 'deadLetters'>,
  labels: { readonly chain: string; readonly network: string },
): IndexerMetrics {
  return {
    published: count => metrics.published.inc(labels, count),
    deadLettered: (count, reason) => metrics.deadLetters.inc({ ...labels, reason }, count),
  };
}
