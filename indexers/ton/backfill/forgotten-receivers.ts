import { LRUCache } from 'lru-cache';
import type { TraceMessage } from '../../../contracts/chain/ton-trace';
import { fetchCells, groupByAccount } from '../block-transactions';
import type { ListedTransaction, TonSource } from '../source';
import { traceNode, type TraceNode } from '../traces/node';

/** Masterchain blocks read for a message: it is delivered within seconds. */
const MAX_BLOCKS = 64;
const MAX_CACHED_BLOCKS = 128;

type Listing = ReadonlyMap<string, readonly ListedTransaction[]>;

/**
 * Finds what messages caused at accounts that the network has forgotten: that were deleted since, or have never been
 * created, so that the message came back. Only the blocks still list those transactions.
 */
export function forgottenReceivers(source: TonSource) {
  const listings = new LRUCache<number, Listing>({ max: MAX_CACHED_BLOCKS });
  const firstBlocks = new LRUCache<number, number>({ max: MAX_CACHED_BLOCKS });

  /** The last block before a second. */
  async function blockBefore(utime: number, stop: AbortSignal): Promise<number | null> {
    const known = firstBlocks.get(utime);
    if (known !== undefined) return known;
    const block = (await source.blockAt(utime - 1, stop)) ?? (await source.blockAt(utime, stop));
    if (block) firstBlocks.set(utime, block.seqno);
    return block?.seqno ?? null;
  }

  /** Null when there is no such block, or not yet. */
  async function listing(seqno: number, stop: AbortSignal): Promise<Listing | null> {
    const known = listings.get(seqno);
    if (known) return known;
    const block = await source.block(seqno, stop);
    if (!block) return null;
    const read = groupByAccount(block);
    listings.set(seqno, read);
    return read;
  }

  /** @param sentAt time of the transaction that sent the message, in Unix seconds */
  return async (
    { dest, hash, createdLt }: TraceMessage,
    sentAt: number,
    stop: AbortSignal,
  ): Promise<TraceNode | null> => {
    const first = await blockBefore(sentAt, stop);
    if (first === null) return null;
    for (let seqno = first; seqno < first + MAX_BLOCKS; seqno++) {
      const listed = await listing(seqno, stop);
      if (!listed) return null;
      const later = (listed.get(dest) ?? []).filter(({ lt }) => BigInt(lt) > BigInt(createdLt));
      for (const ref of later) {
        const cells = await fetchCells(source, dest, [ref], stop);
        const node = traceNode(dest, cells.get(ref.hash)!);
        if (node?.received === hash) return node;
      }
    }
    return null;
  };
}
