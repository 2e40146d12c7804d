import { LRUCache } from 'lru-cache';
import { fetchCells, groupByAccount } from '../block-transactions';
import type { ListedTransaction, TonSource } from '../source';
import { traceNode, type TraceNode } from './node';
import { messageOf, sentAt, type OpenMessage } from './open-trace';

/** Masterchain blocks read for a message: it is delivered within seconds. */
const MAX_BLOCKS = 64;
const MAX_CACHED_BLOCKS = 128;

type Listing = ReadonlyMap<string, readonly ListedTransaction[]>;

/** Reads what is not null once, also for those who ask while it is being read. */
function cached<T>(read: (key: number, signal: AbortSignal) => Promise<T | null>) {
  const known = new LRUCache<number, Promise<T | null>>({ max: MAX_CACHED_BLOCKS });
  return async (key: number, signal: AbortSignal): Promise<T | null> => {
    const reading = known.get(key) ?? read(key, signal);
    known.set(key, reading);
    const value = await reading.catch((error: unknown) => {
      known.delete(key);
      throw error;
    });
    if (value === null) known.delete(key);
    return value;
  };
}

/**
 * Finds what messages caused at accounts that the network has forgotten: that were deleted since, or have never been
 * created, so that the message came back. Only the blocks still list those transactions.
 */
export function forgottenReceivers(source: TonSource) {
  /** The last block before a second; null when there is none, or not yet. */
  const blockBefore = cached(async (utime, signal): Promise<number | null> => {
    const block = (await source.blockAt(utime - 1, signal)) ?? (await source.blockAt(utime, signal));
    return block?.seqno ?? null;
  });
  const listing = cached(async (seqno, signal): Promise<Listing | null> => {
    const block = await source.block(seqno, signal);
    return block && groupByAccount(block);
  });

  /** @param last the newest masterchain block to read */
  return async (open: OpenMessage, last: number, signal: AbortSignal): Promise<TraceNode | null> => {
    const { dest, hash, createdLt } = messageOf(open);
    const first = await blockBefore(sentAt(open), signal);
    if (first === null) return null;
    for (let seqno = first; seqno <= last && seqno < first + MAX_BLOCKS; seqno++) {
      const listed = await listing(seqno, signal);
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
