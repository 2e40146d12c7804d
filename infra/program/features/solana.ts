import { WATCH_CATEGORY } from '../../../contracts/events/watch';
import { SOLANA_NETWORKS, type SolanaNetwork } from '../../../contracts/network/network';
import type { NewJob } from '../../../contracts/ports/jobs';
import { DEFAULT_MAX_CONCURRENT } from '../../../indexers/observations/source-limits';
import {
  olderHistoryJob,
  solanaBackfillsOf,
  workSolanaBackfills,
} from '../../../indexers/solana/backfill/worker';
import { solanaDecoder } from '../../../indexers/solana/decode/decode';
import { createSolanaIndexer, SOLANA_INDEXER_STATE, SOLANA_TOPICS } from '../../../indexers/solana/indexer';
import { solanaAccountObservation } from '../../../indexers/solana/observations/account';
import {
  solanaSignatureObservation,
  unreadSolanaSignature,
} from '../../../indexers/solana/observations/signature';
import { solanaTokensObservation } from '../../../indexers/solana/observations/tokens';
import { rpcSource } from '../../../indexers/solana/rpc-source';
import type { WatchedAccount } from '../../../indexers/watches';
import { solanaTransactionsProjection } from '../../../projections/solana/transactions/projection';
import { accountStream } from '../../../services/solana/account-stream';
import { solanaAccountUse } from '../../../services/solana/account-use';
import { solanaRoutes } from '../../../services/solana/routes';
import { createUnreadSignatures } from '../../../services/solana/unread-signatures';
import { MAX_TOKEN_ACCOUNTS_BYTES } from '../../engines/solana-client/calls';
import { count, forTests } from '../../config/settings';
import { backfillShares } from '../sources/backfill-shares';
import type { Feature, ProgramDeps } from '../feature';
import { watchOf } from './watch/account-watch';
import { rateLimits } from '../requests/rate-limits';
import { indexerMetrics, indexerWorker } from '../roles/indexers';
import { jobHandlers } from '../roles/jobs';

const settings = {
  /** Signatures that a backfill lists at a time, and those after which a part of a history ends. */
  SOLANA_BACKFILL_PAGE_SIZE: forTests(count.min(1).max(1_000).optional()),
  SOLANA_BACKFILL_PART_SIZE: forTests(count.min(1).optional()),
};

/** Of which each has accounts of its own. */
const TOKEN_PROGRAMS = 2;

/** Solana: transactions on the log, observed accounts, tokens and signatures, and their reads. */
export const solana: Feature = {
  name: 'solana',
  settings,
  topics: SOLANA_TOPICS,
  projections: [solanaTransactionsProjection(solanaDecoder)],
  observations: [solanaAccountObservation, solanaTokensObservation, solanaSignatureObservation],
  indexers: SOLANA_INDEXER_STATE,
  accountUse: solanaAccountUse,
  memory: [
    {
      of: 'lists of token accounts that Solana nodes are sending, of two networks',
      max: SOLANA_NETWORKS.length * DEFAULT_MAX_CONCURRENT * TOKEN_PROGRAMS,
      bytesEach: MAX_TOKEN_ACCOUNTS_BYTES,
    },
  ],
  routes(deps) {
    const reading = solanaReadDeps(deps);
    return [...solanaRoutes(reading), accountStream({ ...reading, logger: deps.logger })];
  },
  reenqueue: deps => [{ name: 'solana-backfill', jobs: () => backfillJobs(deps) }],
  workers: [
    indexerWorker(
      'solana',
      chains => chains.solana,
      (deps, network, exclusively) => {
        const { config, engines, sources, metrics, logger } = deps;
        return createSolanaIndexer({
          ...engines,
          ...(exclusively && { runExclusively: exclusively }),
          network,
          source: rpcSource(sources.clients.solana(network)),
          logger,
          metrics: indexerMetrics(metrics, { chain: 'solana', network }),
          scope: config.INDEX_SCOPE,
          ...(config.INDEXER_POLL_MS !== undefined && { pollMs: config.INDEXER_POLL_MS }),
        });
      },
    ),
    jobHandlers('solana', ({ config, engines, sources, networks, metrics, logger, use }) =>
      networks.followed.solana.map(network => async (signal: AbortSignal) => {
        const source = rpcSource(sources.clients.solana(network));
        const { SOLANA_BACKFILL_PAGE_SIZE: pageSize, SOLANA_BACKFILL_PART_SIZE: partSize } =
          config.of(settings);
        return workSolanaBackfills(
          {
            ...engines,
            network,
            source,
            logger,
            metrics: indexerMetrics(metrics, { chain: 'solana', network }),
            pageSize,
            partSize,
            pollMs: config.INDEXER_POLL_MS,
            shares: await use(backfillShares),
          },
          signal,
        );
      }),
    ),
  ],
};

/** What reads of Solana need; the history of both chains reads it too. */
export function solanaReadDeps(deps: ProgramDeps) {
  return {
    views: deps.engine.views,
    watch: watchOf(deps),
    readOlder: (network: SolanaNetwork, account: WatchedAccount, part: number) =>
      deps.engines.jobs.add(olderHistoryJob(network, account, part)),
    accounts: deps.observed(solanaAccountObservation),
    tokens: deps.observed(solanaTokensObservation),
    signatures: deps.observed(solanaSignatureObservation),
    unread: createUnreadSignatures({
      limits: () => deps.use(rateLimits),
      unrecorded: deps.unrecorded(unreadSolanaSignature),
    }),
    ...deps.readWait,
  };
}

/** The first backfill job of every watched account; that of a complete history ends at once. */
async function* backfillJobs({ engines: { store, documents } }: ProgramDeps): AsyncIterable<NewJob> {
  const backfillsOf = await solanaBackfillsOf(documents);
  for await (const page of store.readAll({ categories: [WATCH_CATEGORY] }))
    for (const event of page) yield* backfillsOf(event);
}
