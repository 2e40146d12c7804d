import { SOLANA_NETWORKS, TON_NETWORKS } from '../../contracts/network';
import { workObservations } from '../../indexers/observe';
import { workSolanaBackfills } from '../../indexers/solana/backfill/worker';
import { solanaObservers } from '../../indexers/solana/observers/observers';
import { rpcSource } from '../../indexers/solana/rpc-source';
import { tonBackfillReaction } from '../../indexers/ton/backfill-job';
import { workTonBackfills } from '../../indexers/ton/backfill-worker';
import { recallJobs } from '../../services/recall';
import { runReaction } from '../../services/reaction';
import { backFills } from './back-fills';
import { solanaHooks } from './indexer-solana';
import { tonMetrics } from './indexer-ton';
import type { Part, RoleDeps } from './role';

/** Works off what events and people asked for: histories of newly watched accounts, and reads from outside. */
export function workJobs({ engines, sources, metrics, logger, signal }: RoleDeps): Part {
  return {
    done: Promise.all([
      runReaction({ ...engines, logger }, tonBackfillReaction, signal),
      recallJobs(
        {
          name: 'back-fills',
          jobs: engines.jobs,
          all: () => backFills(engines),
          onError: error => logger.error({ err: error }, 'back-fills could not be asked for again'),
          onRecalled: count => count > 0 && logger.warn({ count }, 'back-fills were asked for again'),
        },
        signal,
      ),
      ...TON_NETWORKS.map(network =>
        workTonBackfills(
          {
            ...engines,
            network,
            source: sources.ton(network),
            logger,
            metrics: tonMetrics(metrics, network),
          },
          signal,
        ),
      ),
      ...SOLANA_NETWORKS.map(network =>
        workSolanaBackfills({
          ...engines,
          network,
          source: rpcSource(sources.solana(network)),
          logger,
          hooks: solanaHooks(metrics, network),
          signal,
        }),
      ),
      workObservations({
        ...engines,
        observers: solanaObservers(network => sources.solana(network)),
        logger,
        now: Date.now,
        signal,
      }),
    ]),
  };
}
