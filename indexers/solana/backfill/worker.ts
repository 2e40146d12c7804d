import type { Logger } from 'pino';
import { z } from 'zod';
import { SOLANA_NETWORKS, type SolanaNetwork } from '../../../contracts/network/network';
import type { Documents } from '../../../contracts/ports/documents';
import { watchEvents } from '../../../contracts/events/watch';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import { BackfillJob, backfillJob, workBackfills } from '../../backfill-jobs';
import type { BackfillShares } from '../../backfill-shares';
import type { WatchedAccount } from '../../watches';
import { BLOCKS, CURSORS, indexedBlock, loadCursor } from '../cursor';
import { isFirstPageRead } from './list-pages';
import { mustWait } from './recheck';
import { nextPage, startBackfill, startNextPart } from './backfill';
import type { BackfillDeps } from './deps';
import { BACKFILLS, loadProgress, storeProgress, type BackfillProgress } from './progress';

const SolanaBackfillJob = BackfillJob.extend({
  /** The tail has looked for the account in every slot after this one. */
  scannedSlot: z.int(),
  /** The reading of the history that it belongs to, if it begins one: larger for one that began later. */
  reading: z.int().nullable().default(0),
});
type SolanaBackfillJob = z.output<typeof SolanaBackfillJob>;

/** Requests for the same part in this time are one: every page at the end of what is known makes one. */
const KEEP_REQUEST_MS = 600_000;
const NEW_CHAIN = { sequence: 0, failures: 0, postponed: 0, isFirst: false } as const;

/**
 * The first job of a history, of an account that the tail looks for in every slot after `scannedSlot`.
 * @param reading `newChain()` when it is read again
 */
export function solanaBackfillJob(
  network: SolanaNetwork,
  watched: WatchedAccount,
  scannedSlot: number,
  reading = 0,
): NewJob {
  const job: SolanaBackfillJob = {
    ...NEW_CHAIN,
    network,
    ...watched,
    part: 0,
    isFirst: true,
    scannedSlot,
    sequence: reading,
    reading,
  };
  return backfillJob('solana', job);
}

/** The first job of an older part of a history, from 1; it does nothing unless the part before it is read. */
export function olderHistoryJob(network: SolanaNetwork, watched: WatchedAccount, part: number): NewJob {
  const job: SolanaBackfillJob = { ...NEW_CHAIN, network, ...watched, part, scannedSlot: 0, reading: null };
  return { ...backfillJob('solana', job), keepIdMs: KEEP_REQUEST_MS };
}

/**
 * The first backfill job of the account that a `watch` event names, if its network has a cursor: without one the tail has
 * not started, and will enqueue the backfills itself.
 */
export async function solanaBackfillsOf(documents: Documents): Promise<(event: RecordedEvent) => NewJob[]> {
  await documents.declare([CURSORS, BLOCKS]);
  const cursors = await Promise.all(
    SOLANA_NETWORKS.map(async network => ({ network, cursor: await loadCursor(documents, network) })),
  );
  return event =>
    cursors.flatMap(({ network, cursor }) => {
      const { type, data } = watchEvents.read(event);
      if (type !== 'AccountWatched' || data.chain !== 'solana' || data.network !== network) return [];
      return cursor
        ? [
            solanaBackfillJob(
              network,
              { address: data.address, watch: data.watch },
              indexedBlock(cursor).slot,
            ),
          ]
        : [];
    });
}

export interface BackfillWorkerDeps extends BackfillDeps {
  readonly jobs: Jobs;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly documents: Documents;
  readonly logger: Logger;
  readonly shares?: BackfillShares;
  /** Histories read at a time; default 3. */
  readonly concurrency?: number;
}

/** Pages read by one job: an account with a long history then waits for the others. */
const MAX_PAGES = 4;
const POLL_MS = 2_000;

/** Runs the backfill jobs of a network until the signal. */
export async function workSolanaBackfills(deps: BackfillWorkerDeps, signal: AbortSignal): Promise<void> {
  const { network, documents, concurrency = 3, pollMs = POLL_MS } = deps;
  await documents.declare([BACKFILLS]);
  const store = (reached: BackfillProgress): Promise<void> => storeProgress(documents, reached);

  /** The progress of the part that a job is to read; null when there is nothing to read of it. */
  async function progressOf({
    address,
    watch,
    scannedSlot,
    part,
    reading,
  }: SolanaBackfillJob): Promise<BackfillProgress | null> {
    const stored = await loadProgress(documents, network, address);
    const begun = reading ?? stored?.reading ?? 0;
    // What was published for an earlier watch ends where that one did. Jobs of an earlier reading may still run: they store
    // their progress over that of this one, which then begins again, and end once they see it.
    if (stored?.watch !== watch || stored.reading < begun) {
      if (part > 0) return null;
      const started = await startBackfill(deps, { address, watch, reading: begun }, scannedSlot);
      await store(started);
      return started;
    }
    if (stored.reading > begun) return null;
    if (stored.part !== part - 1) return stored.part === part ? stored : null;
    const next = startNextPart(stored);
    if (next !== stored) await store(next);
    return next;
  }

  await workBackfills({
    ...deps,
    chain: 'solana',
    schema: SolanaBackfillJob,
    concurrency,
    signal,
    async read(job, stop, metrics) {
      let progress = await progressOf(job);
      if (!progress) return null;
      if (progress.part < job.part) return progress.phase === 'done' ? null : pollMs;
      for (let pages = 0; pages < MAX_PAGES && progress.phase !== 'done'; pages++) {
        if (job.isFirst && isFirstPageRead(deps, progress)) break;
        stop.throwIfAborted();
        if (await mustWait(deps, progress)) return pollMs;
        progress = await nextPage({ ...deps, metrics }, progress, store);
        await store(progress);
      }
      return progress.phase === 'done' ? null : 0;
    },
  });
}
