import { SOLANA_NETWORKS, TON_NETWORKS } from '../../../contracts/network';
import { workObservations } from '../../../indexers/observe';
import { workSolanaBackfills } from '../../../indexers/solana/backfill/worker';
import { solanaObservers } from '../../../indexers/solana/observers/observers';
import { rpcSource } from '../../../indexers/solana/rpc-source';
import { tonBackfillReaction } from '../../../indexers/ton/backfill-job';
import { workTonBackfills } from '../../../indexers/ton/backfill-worker';
import { recallJobs } from '../../../services/reactions/recall';
import { runReaction } from '../../../services/reactions/event-reaction';
import { backFills } from './back-fills';
import { endure } from './endure';
import { feeWork } from './fees';
import { solanaHooks } from './indexer-solana';
import { tonMetrics } from './indexer-ton';
import type { Part, RoleDeps } from './role';

/** Works off what events and people asked for: histories of newly watched accounts, and reads from outside. */
export function workJobs(deps: RoleDeps): Part {
  const { engines, sources, metrics, logger, signal } = deps;
  const workers = [
    ...TON_NETWORKS.map(network => () => {
      const source = sources.ton(network);
      return workTonBackfills(
        { ...engines, network, source, logger, metrics: tonMetrics(metrics, network) },
        signal,
      );
    }),
    ...SOLANA_NETWORKS.map(network => () => {
      const source = rpcSource(sources.solana(network));
      return workSolanaBackfills({
        ...engines,
        network,
        source,
        logger,
        hooks: solanaHooks(metrics, network),
        signal,
      });
    }),
    () =>
      workObservations({
        ...engines,
        observers: solanaObservers(network => sources.solana(network)),
        logger,
        now: Date.now,
        signal,
      }),
    ...feeWork(deps),
  ].map(work => endure(work, { logger, signal }));
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
      ...workers.map(({ done }) => done),
    ]),
    checks: [
      {
        name: 'workers of jobs',
        vital: false,
        run: async () => workers.map(({ held }) => held()).find(reason => reason !== null) ?? null,
      },
    ],
  };
}
