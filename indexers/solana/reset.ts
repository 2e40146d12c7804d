import type { SolanaNetwork } from '../../contracts/network/network';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Jobs } from '../../contracts/ports/jobs';
import { newChain } from '../backfill-jobs';
import { findWatch } from '../watches';
import { forgetProgress } from './backfill/progress';
import { solanaBackfillJob } from './backfill/worker';
import { indexedBlock, loadCursor, storeCursor, type Cursor, type UnfinalizedBlock } from './cursor';
import type { BlockRef } from './source';

interface ResetDeps {
  readonly network: SolanaNetwork;
  readonly documents: Documents;
}

const MAX_ATTEMPTS = 20;

/**
 * Makes the tail continue after a final block. A running tail notices that its cursor was moved. What was published above is
 * taken back unless the tail finds it on the chain.
 */
export async function resetCursor({ network, documents }: ResetDeps, finalized: BlockRef): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await loadCursor(documents, network);
    try {
      const possiblyPublished = before ? publishedAfter(before, finalized) : [];
      await storeCursor(documents, network, before, { finalized, unfinalized: [], possiblyPublished });
      return;
    } catch (error) {
      if (!(error instanceof CheckpointMoved) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

const publishedAfter = (cursor: Cursor, { slot }: BlockRef): UnfinalizedBlock[] =>
  [...cursor.unfinalized, ...cursor.possiblyPublished].filter(block => block.slot > slot);

interface AccountResetDeps extends ResetDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly jobs: Pick<Jobs, 'add'>;
}

/**
 * Forgets the progress of the backfill of an account, and starts it again while the account is watched.
 * @param from the block after which the tail will look for the account; default: that of the cursor
 */
export async function resetAccount(
  { network, documents, store, jobs }: AccountResetDeps,
  address: string,
  from?: BlockRef,
): Promise<void> {
  const account = { chain: 'solana', network, address } as const;
  await documents.commit({ writes: [forgetProgress(network, address)] });
  const watch = (await findWatch(store, account))?.watch ?? null;
  const cursor = await loadCursor(documents, network);
  if (watch === null || !cursor) return;
  const { slot } = from ?? indexedBlock(cursor);
  await jobs.add(solanaBackfillJob(network, { address, watch }, slot, newChain()));
}
