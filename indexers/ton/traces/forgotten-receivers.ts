import { LRUCache } from 'lru-cache';
import { fetchCells, groupByAccount } from '../block-transactions';
import type { ListedTransaction, TonSource } from '../source';
import { traceNode, type TraceNode } from './node';
import { messageOf, sentAt, type OpenMessage } from './open-trace';

/** Masterchain blocks read for a message: it is delivered within seconds. */
const MAX_BLOCKS = 64;
const MAX_CACHED_BLOCKS = 128;

type Listing = ReadonlyMap<string, readonly ListedTransaction[]>;

/** Read once, also for those who ask while it is being read; what is undefined is read again. */
function cached<T extends NonNullable<unknown>>(
  read: (key: number, signal: AbortSignal) => Promise<T | undefined>,
) {
  return new LRUCache<number, T, AbortSignal>({
    max: MAX_CACHED_BLOCKS,
    ignoreFetchAbort: true,
    fetchMethod: (key, _stale, { context: signal }) => read(key, signal),
  });
}

/**
 * Finds what messages caused at accounts that the network has forgotten: that were deleted since, or have never been
 * created, so that the message came back. Only the blocks still list those transactions.
 */
export function forgottenReceivers(source: TonSource) {
  /** The last block before a second; undefined when there is none, or not yet. */
  const blockBefore = cached(async (utime, signal): Promise<number | undefined> => {
    const block = (await source.blockAt(utime - 1, signal)) ?? (await source.blockAt(utime, signal));
    return block?.seqno;
  });
  const listing = cached(async (seqno, signal): Promise<Listing | undefined> => {
    const block = await source.block(seqno, signal);
    return block ? groupByAccount(block) : undefined;
  });

  /** @param last the newest masterchain block to read */
  return async (open: OpenMessage, last: number, signal: AbortSignal): Promise<TraceNode | null> => {
    const { dest, hash, createdLt } = messageOf(open);
    const first = await blockBefore.fetch(sentAt(open), { context: signal });
    if (first === undefined) return null;
    for (let seqno = first; seqno <= last && seqno < first + MAX_BLOCKS; seqno++) {
      const listed = await listing.fetch(seqno, { context: signal });
      if (!listed) return null;
      const later = (listed.get(dest) ?? []).filter(({ lt }) => BigInt(lt) > BigInt(createdLt));
      for (const ref of later) {
        const cells = await fetchCells(source, dest, [ref], signal);
        const node = traceNode(dest, cells.get(ref.hash)!);
        if (node?.received === hash) return node;
      }
    }
    return null;
  };
}
