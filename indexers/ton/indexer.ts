import { TON_DEAD_LETTERS, TON_TRANSACTIONS } from '../../contracts/chain/ton';
import { messageOf } from '../../contracts/text/error-message';
import { TON_NETWORKS } from '../../contracts/network/network';
import type { TopicSpec } from '../../contracts/ports/log';
import type { EventStore } from '../../contracts/ports/event-store';
import { retryForever } from '../../contracts/retry/retry';
import { Gap } from '../gap';
import {
  indexerStatus,
  storedStatuses,
  withoutLease,
  type BlockGap,
  type Indexer,
  type IndexerState,
} from '../indexer';
import type { RunExclusively } from '../lease';
import { identitiesOf, identityCheckpoint } from '../network-identity';
import { runUntilFirstFailure } from '../run-until-first-failure';
import { isOutage } from '../outage-log';
import { ACCOUNT_HEADS } from './account-heads';
import { BACKFILLS } from './backfill/progress';
import { cursorCheckpoint, cursorFence, CURSORS, cursorWrite, loadCursor } from './cursor';
import { followChain, type TailDeps, type TailProgress } from './tail';
import { createTailLocks, type TailLocks } from './tail-locks';
import { OPEN_TRACES } from './traces/documents';
import { ACCOUNT_STARTS, followWatchedAccounts } from './watched-accounts';

/** What the indexer and its backfills publish to. */
export const TON_TOPICS: readonly TopicSpec[] = [TON_TRANSACTIONS, TON_DEAD_LETTERS];

/** Excludes the checkpoints of watched accounts: they are positions of one event store, invalid in another. */
export const TON_INDEXER_STATE: IndexerState = {
  collections: [identitiesOf('ton'), CURSORS, ACCOUNT_STARTS, ACCOUNT_HEADS, OPEN_TRACES, BACKFILLS],
  checkpoints: TON_NETWORKS.flatMap(network => [
    identityCheckpoint('ton', network),
    cursorCheckpoint(network),
  ]),
  status: documents => storedStatuses(documents, CURSORS, 'ton', TON_NETWORKS),
};

export interface TonIndexerDeps extends Omit<TailDeps, 'concurrency' | 'pollMs' | 'retryMs'> {
  readonly store: EventStore;
  /** Default: runs without a lease. */
  readonly runExclusively?: RunExclusively;
  /** Default 16. */
  readonly concurrency?: number;
  /** Default 400. */
  readonly pollMs?: number;
  /** Default 100. */
  readonly retryMs?: number;
  /** Longest wait in milliseconds before a tail that failed starts again; default 5,000. */
  readonly maxRetryMs?: number;
}

/** Publishes a TON network to the log, in the process that holds its lease. */
export function createTonIndexer(options: TonIndexerDeps): Indexer {
  const deps = { concurrency: 16, pollMs: 400, retryMs: 100, ...options };
  const { network, documents, log, logger, maxRetryMs = 5_000, runExclusively = withoutLease } = deps;
  let tip: number | null = null;
  let indexedHeight: number | null = null;
  let selected: number | null = null;
  let gap: BlockGap | null = null;
  let onIndexed = (): void => undefined;

  const progress: TailProgress = {
    tip: seqno => void (tip = seqno),
    selecting: seqno => void (selected = Math.max(selected ?? 0, seqno)),
    async indexed(seqno) {
      if (indexedHeight !== seqno) onIndexed();
      indexedHeight = seqno;
      selected = Math.max(selected ?? 0, seqno);
      if (!gap || (seqno < gap.height && seqno !== tip)) return;
      gap = null;
      await storeGap();
    },
  };

  /** Stored with the cursor, for programs that do not run the indexer. */
  async function storeGap(): Promise<void> {
    const cursor = await loadCursor(documents, network);
    if (!cursor) return;
    await documents.commit({
      writes: [cursorWrite(network, cursor, tip ?? cursor.tip, gap)],
      checkpoint: cursorFence(network, cursor, cursor),
    });
  }

  async function reportGap(error: unknown): Promise<void> {
    const reason = error instanceof Gap ? error.reason : messageOf(error);
    const height = error instanceof Gap ? error.height : (indexedHeight ?? 0) + 1;
    if (gap?.height === height && gap.reason === reason) return;
    gap = { height, reason };
    const why = isOutage(error) ? { reason } : { err: error };
    logger.error({ ...why, network, height }, 'ton tail stalled, retrying');
    await storeGap().catch((cause: unknown) =>
      logger.error({ err: cause, network }, 'ton tail status not stored'),
    );
  }

  async function followTail(locks: TailLocks, signal: AbortSignal): Promise<void> {
    await retryForever(
      async onProgress => {
        onIndexed = onProgress;
        try {
          await runUntilFirstFailure(signal, [stop => followChain(deps, locks, progress, stop)]);
        } catch (error) {
          await reportGap(error);
          throw error;
        }
      },
      { signal, maxDelayMs: maxRetryMs, onError: () => undefined },
    );
  }

  async function followWatched(locks: TailLocks, signal: AbortSignal): Promise<void> {
    await retryForever(() => followWatchedAccounts({ ...deps, selected: () => selected }, locks, signal), {
      signal,
      maxDelayMs: maxRetryMs,
      onError(error) {
        // The tail says that its source is out.
        if (isOutage(error)) logger.debug({ network }, 'watched ton accounts not followed, retrying');
        else logger.error({ err: error, network }, 'following watched ton accounts failed, retrying');
      },
    });
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const locks = createTailLocks();
    await runUntilFirstFailure(signal, [stop => followTail(locks, stop), stop => followWatched(locks, stop)]);
  }

  return {
    async run(signal) {
      await log.declare(TON_TOPICS);
      await documents.declare(TON_INDEXER_STATE.collections);
      await runExclusively(`indexer-ton ${network}`, follow, signal);
    },
    status: () => indexerStatus(indexedHeight, tip, gap),
  };
}
