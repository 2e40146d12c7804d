import { BACKFILL_COLLECTIONS as SOLANA_BACKFILLS } from '../../../indexers/solana/backfill/progress';
import { FRONTIER_COLLECTIONS, fenceOf as solanaFence } from '../../../indexers/solana/frontier';
import { SOLANA_NETWORKS, TON_NETWORKS } from '../../../contracts/network';
import { BACKFILL_COLLECTIONS as TON_BACKFILLS } from '../../../indexers/ton/backfill-progress';
import { fenceOf as tonFence, TAIL_COLLECTIONS } from '../../../indexers/ton/state';
import type { Documents } from '../../../contracts/ports/documents';

/** What indexers have noted of their way; nothing but the chains could tell it anew. */
const COLLECTIONS = [...TAIL_COLLECTIONS, ...TON_BACKFILLS, ...FRONTIER_COLLECTIONS, ...SOLANA_BACKFILLS];
const CHECKPOINTS = [...TON_NETWORKS.map(tonFence), ...SOLANA_NETWORKS.map(solanaFence)];
const PAGE = 500;

/** Copies how far the indexers and their back-fills have come, so that they go on where they were. Answers the number of documents. */
export async function copyIndexers(from: Documents, to: Documents, signal: AbortSignal): Promise<number> {
  await from.declare(COLLECTIONS);
  await to.declare(COLLECTIONS);
  let copied = 0;
  for (const { name: collection } of COLLECTIONS)
    for await (const documents of from.scan(collection, { limit: PAGE })) {
      signal.throwIfAborted();
      await to.commit({ writes: documents.map(document => ({ collection, id: document._id, document })) });
      copied += documents.length;
    }
  for (const name of CHECKPOINTS) {
    const value = await from.checkpoint(name);
    if (value) await to.commit({ writes: [], checkpoint: { name, value } });
  }
  return copied;
}
