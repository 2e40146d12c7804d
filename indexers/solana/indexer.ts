import type { Logger } from 'pino';
import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS } from '../../contracts/chain/solana';
import { SOLANA_NETWORKS, type SolanaNetwork } from '../../contracts/network/network';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Jobs } from '../../contracts/ports/jobs';
import type { Log, TopicSpec } from '../../contracts/ports/log';
import { messageOf } from '../../contracts/text/error-message';
import { retryForever } from '../../contracts/retry/retry';
import {
  indexerStatus,
  storedStatuses,
  withoutLease,
  type BlockGap,
  type Indexer,
  type IndexerMetrics,
  type IndexerState,
  type IndexScope,
} from '../indexer';
import { Gap } from '../gap';
import type { RunExclusively } from '../lease';
import { identitiesOf, identityCheckpoint } from '../network-identity';
import { runUntilFirstFailure } from '../run-until-first-failure';
import { BACKFILLS } from './backfill/progress';
import type { WatchedAccount } from '../watches';
import { isOutage } from '../outage-log';
import { solanaBackfillJob } from './backfill/worker';
import { BLOCKS, cursorCheckpoint, CURSORS, indexedBlock } from './cursor';
import { createPublisher, type Publisher } from './publisher';
import { resumeCursor } from './resume';
import type { SolanaSource } from './source';
import { createTail, type Tail, type TailOptions } from './tail';
import { openWatchedAccounts } from './watched-accounts';

/** What the indexer and its backfills publish to. */
export const SOLANA_TOPICS: readonly TopicSpec[] = [SOLANA_TRANSACTIONS, SOLANA_DEAD_LETTERS];

/** Excludes the checkpoints of watched accounts: they are positions of one event store, invalid in another. */
export const SOLANA_INDEXER_STATE: IndexerState = {
  collections: [identitiesOf('solana'), CURSORS, BLOCKS, BACKFILLS],
  checkpoints: SOLANA_NETWORKS.flatMap(network => [
    identityCheckpoint('solana', network),
    cursorCheckpoint(network),
  ]),
  status: documents => storedStatuses(documents, CURSORS, 'solana', SOLANA_NETWORKS),
};

export interface SolanaIndexerDeps extends TailOptions {
  readonly network: SolanaNetwork;
  readonly source: SolanaSource;
  readonly log: Log;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly jobs: Jobs;
  readonly logger: Logger;
  readonly metrics: IndexerMetrics;
  readonly scope: IndexScope;
  /** The first slot to publish when the network was never indexed before; default: the newest final one. */
  readonly startAt?: number;
  /** Default: runs without a lease. */
  readonly runExclusively?: RunExclusively;
}

/** Publishes a Solana network to the log, in the process that holds its lease. */
export function createSolanaIndexer(deps: SolanaIndexerDeps): Indexer {
  const { network, jobs, log, documents, logger, maxRetryMs = 5_000, runExclusively = withoutLease } = deps;
  let publisher: Publisher | null = null;
  let tail: Tail | null = null;
  /** Why the tail cannot start. */
  let obstacle: BlockGap | null = null;

  async function followFromCursor(signal: AbortSignal): Promise<void> {
    const { source, store, metrics, startAt } = deps;
    const cursor = await resumeCursor(documents, source, network, startAt);
    const scope = deps.scope === 'all' ? 'all' : { has: (account: string) => watched.has(account) };
    const opened = createPublisher({ network, scope, log, documents, metrics, cursor });
    const onWatched = async (account: WatchedAccount): Promise<void> =>
      void (await jobs.add(solanaBackfillJob(network, account, opened.scannedSlot)));
    const watched = await openWatchedAccounts({ network, store, documents, onWatched });
    publisher = opened;
    tail = createTail({ ...deps, publisher: opened });
    obstacle = null;
    const indexedHeight = indexedBlock(cursor).slot;
    logger.info({ network, watched: watched.size, indexedHeight }, 'solana tail started');
    await runUntilFirstFailure(signal, [stop => watched.follow(stop), stop => tail!.run(stop)]);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    await retryForever(() => followFromCursor(signal), {
      signal,
      maxDelayMs: maxRetryMs,
      onError(error) {
        const reason = error instanceof Gap ? error.reason : messageOf(error);
        const isNew = obstacle?.reason !== reason;
        obstacle = { height: error instanceof Gap ? error.height : 0, reason };
        const why = isOutage(error) ? { reason } : { err: error };
        if (isNew)
          logger.error({ ...why, network }, 'solana tail failed, starting again from the stored cursor');
      },
    });
  }

  return {
    async run(signal) {
      await log.declare(SOLANA_TOPICS);
      await documents.declare(SOLANA_INDEXER_STATE.collections);
      await runExclusively(`indexer-solana ${network}`, follow, signal);
    },
    status() {
      const { tip, gap } = tail?.status ?? { tip: null, gap: null };
      return indexerStatus(publisher && indexedBlock(publisher.cursor).slot, tip, obstacle ?? gap);
    },
  };
}
