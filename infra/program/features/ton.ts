import type { TonNetwork } from '../../../contracts/network/network';
import { tonBackfillReaction, workTonBackfills } from '../../../indexers/ton/backfill/worker';
import { tonDecoder } from '../../../indexers/ton/decode/decode';
import { createTonIndexer, TON_INDEXER_STATE, TON_TOPICS } from '../../../indexers/ton/indexer';
import { createContractVerifier, type VerifyContracts } from '../../../indexers/ton/verify-contracts';
import { gaslessSendByHash, gaslessSendsProjection } from '../../../projections/gasless/sends';
import {
  tonHashSource,
  tonMessagesProjection,
  tonTransactionByHash,
} from '../../../projections/ton/messages';
import { tonTracesProjection } from '../../../projections/ton/traces/projection';
import { tonTransactionsProjection } from '../../../projections/ton/transactions/projection';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { createChanges } from '../../../services/observations/changed';
import { jobsOfEvents } from '../../../services/reactions/event-reaction';
import { tonAccountUse } from '../../../services/ton/account-use';
import { tonRoutes } from '../../../services/ton/routes';
import { backfillShares } from '../sources/backfill-shares';
import { useFastCells } from '../../engines/ton-cells/fast-cells';
import type { Feature, ProgramDeps } from '../feature';
import { stakingPools } from './ton-contracts';
import { indexerMetrics, indexerWorker } from '../roles/indexers';
import { jobHandlers } from '../roles/jobs';

useFastCells();

function verifierOf(
  { config, sources }: Pick<ProgramDeps, 'config' | 'sources'>,
  network: TonNetwork,
): VerifyContracts {
  return createContractVerifier(sources.clients.ton(network), network, stakingPools(config)[network]);
}

/** Has what was observed of a network read again after the blocks that change it. */
const changesOf = (
  { features: { observations }, engine: { views }, engines: { jobs }, logger, clock }: ProgramDeps,
  network: TonNetwork,
) => createChanges({ network, observations, views, jobs, logger, now: () => clock().getTime() });

/** TON: transactions on the log, their read models, and the status of a transaction. */
export const ton: Feature = {
  name: 'ton',
  topics: TON_TOPICS,
  projections: [
    tonTransactionsProjection(tonDecoder),
    tonMessagesProjection(tonDecoder),
    tonTracesProjection,
  ],
  indexers: TON_INDEXER_STATE,
  accountUse: tonAccountUse,
  workers: [
    indexerWorker(
      'ton',
      ({ ton }) => ton,
      (deps, network, exclusively) => {
        const { config, engines, sources, metrics, logger } = deps;
        return createTonIndexer({
          ...engines,
          ...(exclusively && { runExclusively: exclusively }),
          network,
          source: sources.ton(network),
          verify: verifierOf(deps, network),
          logger,
          metrics: indexerMetrics(metrics, { chain: 'ton', network }),
          scope: config.INDEX_SCOPE,
          onPublished: changesOf(deps, network),
          ...(config.INDEXER_POLL_MS !== undefined && { pollMs: config.INDEXER_POLL_MS }),
        });
      },
    ),
    jobHandlers('ton', deps => {
      const { engines, sources, networks, metrics, logger } = deps;
      return networks.followed.ton.map(network => async (signal: AbortSignal) => {
        const source = sources.ton(network);
        return workTonBackfills(
          {
            ...engines,
            network,
            source,
            verify: verifierOf(deps, network),
            logger,
            metrics: indexerMetrics(metrics, { chain: 'ton', network }),
            shares: await deps.use(backfillShares),
          },
          signal,
        );
      });
    }),
  ],
  routes: ({ engine: { views }, features }) =>
    tonRoutes({
      relayedByHash: features.projections.includes(gaslessSendsProjection)
        ? gaslessSendByHash(views)
        : async () => null,
      cached: views.cached,
      transactionByHash: tonTransactionByHash(views),
      hashSource: tonHashSource,
      transactions: tonTransactions(views),
    }),
  reactions: () => [tonBackfillReaction],
  reenqueue: ({ engines: { store } }) => [
    { name: 'ton-backfill', jobs: () => jobsOfEvents(store, tonBackfillReaction) },
  ],
};
