import type { TonNetwork } from '../../contracts/network/network';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import { accountId, headWrite, loadHeads, NO_TRANSACTION } from './account-heads';
import { BACKFILLS } from './backfill/progress';
import { cursorFence, cursorWrite, loadCursor } from './cursor';
import { cursorAt, fetchBlock } from './resume';
import type { TonSource } from './source';
import { startWrite } from './watched-accounts';

interface ResetDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly documents: Documents;
  readonly signal: AbortSignal;
}

const RETRY_MS = 100;

/** Makes the tail continue from the newest block of the source. A running tail notices that its cursor was moved. */
export function resetCursor({ network, source, documents, signal }: ResetDeps): Promise<void> {
  return unlessMoved(async () => {
    const before = await loadCursor(documents, network);
    const tip = await source.tip(signal);
    const cursor = cursorAt(await fetchBlock({ source, retryMs: RETRY_MS }, tip, signal));
    await documents.commit({
      writes: [cursorWrite(network, cursor, tip)],
      checkpoint: cursorFence(network, before, cursor),
    });
  });
}

/**
 * Makes the tail follow an account from the block of the cursor on, and forgets the progress of its backfill, which then
 * reads the history again. Safe beside a running tail, which commits with the same fence.
 * @param watch its number; null for an account that nobody watches, of a network that is followed as a whole
 */
export function resetAccount(
  { network, source, documents, signal }: ResetDeps,
  account: string,
  watch: number | null,
): Promise<void> {
  return unlessMoved(async () => {
    const cursor = await loadCursor(documents, network);
    if (!cursor) return;
    const last = (await source.last(account, cursor.seqno, signal)) ?? NO_TRANSACTION;
    const isFollowed = (await loadHeads(documents, network, [account])).get(account) !== undefined;
    await documents.commit({
      writes: [
        ...(watch !== null || isFollowed ? [headWrite(network, account, last)] : []),
        ...(watch !== null ? [startWrite(network, account, watch, last)] : []),
        { collection: BACKFILLS.name, id: accountId(network, account), document: null },
      ],
      checkpoint: cursorFence(network, cursor, cursor),
    });
  });
}

const MAX_ATTEMPTS = 20;

/** A tail that runs may move the cursor in between. */
async function unlessMoved(write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof CheckpointMoved) || attempt === MAX_ATTEMPTS) throw error;
    }
}
