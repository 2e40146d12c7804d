import type { Logger } from 'pino';
import { z } from 'zod';
import { SOLANA_NETWORKS, type SolanaNetwork } from '../../../contracts/network';
import type { Documents } from '../../../contracts/ports/documents';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import { BackfillJob, backfillJob, workBackfills } from '../../backfill-jobs';
import { BLOCKS, CURSORS, indexedBlock, loadCursor } from '../cursor';
import { watchedSolanaAccount } from '../watched-accounts';
import { mustWait, nextPage, startBackfill, type BackfillDeps } from './backfill';
import { BACKFILLS, loadProgress, storeProgress, type BackfillProgress } from './progress';

const SolanaBackfillJob = BackfillJob.extend({
  /** The tail has looked for the account in every slot after this one. */
  scannedSlot: z.int(),
});

/** The first job of a history, of an account that the tail looks for in every slot after `scannedSlot`. */
export function solanaBackfillJob(network: SolanaNetwork, address: string, scannedSlot: number): NewJob {
  const job: z.output<typeof SolanaBackfillJob> = { network, address, scannedSlot, sequence: 0, failures: 0 };
  return backfillJob('solana', job);
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
      const address = watchedSolanaAccount(event, network);
      return address && cursor ? [solanaBackfillJob(network, address, indexedBlock(cursor).slot)] : [];
    });
}

export interface BackfillWorkerDeps extends BackfillDeps {
  readonly jobs: Jobs;
  readonly documents: Documents;
  readonly logger: Logger;
  /** Histories read at a time; default 2. */
  readonly concurrency?: number;
}

/** Pages read by one job. */
const MAX_PAGES = 10;
const POLL_MS = 2_000;

/** Runs the backfill jobs of a network until the signal. */
export async function workSolanaBackfills(deps: BackfillWorkerDeps, signal: AbortSignal): Promise<void> {
  const { network, documents, concurrency = 2, pollMs = POLL_MS } = deps;
  await documents.declare([BACKFILLS]);
  const store = (reached: BackfillProgress): Promise<void> => storeProgress(documents, reached);
  await workBackfills({
    ...deps,
    chain: 'solana',
    schema: SolanaBackfillJob,
    concurrency,
    signal,
    async read({ address, scannedSlot }, stop) {
      let progress = await loadProgress(documents, network, address);
      if (!progress) {
        progress = await startBackfill(deps, address, scannedSlot);
        await store(progress);
      }
      for (let pages = 0; pages < MAX_PAGES && progress.phase !== 'done'; pages++) {
        stop.throwIfAborted();
        if (await mustWait(deps, progress)) return pollMs;
        progress = await nextPage(deps, progress, store);
        await store(progress);
      }
      return progress.phase === 'done' ? null : 0;
    },
  });
}
