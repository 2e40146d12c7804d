import { TON_NETWORKS } from '../../../contracts/network';
import { tonBackfillReaction, workTonBackfills } from '../../../indexers/ton/backfill/worker';
import { tonDecoder } from '../../../indexers/ton/decode/decode';
import { createTonIndexer, TON_INDEXER_STATE, TON_TOPICS } from '../../../indexers/ton/indexer';
import { createJettonWalletVerifier } from '../../../indexers/ton/jetton-wallets';
import {
  tonHashSource,
  tonMessagesProjection,
  tonTransactionByHash,
} from '../../../projections/ton/messages';
import { tonTracesProjection } from '../../../projections/ton/traces/projection';
import { tonTransactionsProjection } from '../../../projections/ton/transactions/projection';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { jobsOfEvents } from '../../../services/reactions/event-reaction';
import { tonRoutes } from '../../../services/ton/routes';
import { deadLettersCommand } from '../../cli/dead-letters';
import type { Feature } from '../feature';
import { indexerMetrics, indexerWorker } from '../roles/indexers';
import { jobHandlers } from '../roles/jobs';

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
  workers: [
    indexerWorker('ton', TON_NETWORKS, (deps, network, exclusively) => {
      const { config, engines, sources, metrics, logger } = deps;
      return createTonIndexer({
        ...engines,
        ...(exclusively && { runExclusively: exclusively }),
        network,
        source: sources.ton(network),
        verify: createJettonWalletVerifier(sources.clients.ton(network)),
        logger,
        metrics: indexerMetrics(metrics, { chain: 'ton', network }),
        scope: config.INDEX_SCOPE,
      });
    }),
    jobHandlers('ton', ({ engines, sources, metrics, logger }) =>
      TON_NETWORKS.map(network => (signal: AbortSignal) => {
        const source = sources.ton(network);
        return workTonBackfills(
          {
            ...engines,
            network,
            source,
            verify: createJettonWalletVerifier(sources.clients.ton(network)),
            logger,
            metrics: indexerMetrics(metrics, { chain: 'ton', network }),
          },
          signal,
        );
      }),
    ),
  ],
  routes: ({ engine: { views } }) =>
    tonRoutes({
      cached: views.cached,
      transactionByHash: tonTransactionByHash(views),
      hashSource: tonHashSource,
      transactions: tonTransactions(views),
    }),
  reactions: () => [tonBackfillReaction],
  reenqueue: ({ engines: { store } }) => [
    { name: 'ton-backfill', jobs: () => jobsOfEvents(store, tonBackfillReaction) },
  ],
  commands: [deadLettersCommand],
};
