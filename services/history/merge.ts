import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { HistoryItem, UnifiedCursor } from '../../contracts/http/history';

/** The transactions of one account in a history over both chains, newest first. */
export interface TimelineSource {
  readonly kind: keyof UnifiedCursor;
  readonly items: readonly HistoryItem[];
  /** True when there are items older than the last one. */
  readonly more: boolean;
}

export interface MergedPage {
  readonly data: HistoryItem[];
  readonly hasMore: boolean;
  readonly cursor: UnifiedCursor;
}

const timeOf = (item: HistoryItem): number => (item.type === 'ton' ? item.data.time : item.data.timestamp);

function advance(cursor: UnifiedCursor, kind: TimelineSource['kind'], item: HistoryItem): UnifiedCursor {
  if (item.type === 'ton') return { ...cursor, ton: { lt: item.data.lt, hash: item.data.hash } };
  return { ...cursor, [kind]: { ...cursor[kind], before: item.data.signature } };
}

/**
 * Takes the newest item of any source until the page is full. Each source keeps its own order, even if timestamps of its
 * chain contradict it, and its own cursor: the last item taken from it, or the previous cursor when none was taken.
 */
export function mergeSources(
  sources: readonly TimelineSource[],
  limit: number,
  from: UnifiedCursor,
): MergedPage {
  const taken = new Map(sources.map(source => [source, 0]));
  const data: HistoryItem[] = [];
  let cursor = from;
  while (data.length < limit) {
    const heads = sources.flatMap(source => {
      const item = source.items[taken.get(source)!];
      return item ? [{ source, item }] : [];
    });
    const [first, ...rest] = heads;
    if (!first) break;
    const newest = rest.reduce((best, head) => (timeOf(head.item) > timeOf(best.item) ? head : best), first);
    taken.set(newest.source, taken.get(newest.source)! + 1);
    cursor = advance(cursor, newest.source.kind, newest.item);
    data.push(newest.item);
  }
  const hasMore = sources.some(source => source.more || taken.get(source)! < source.items.length);
  return { data, hasMore, cursor };
}

export function movesToken({ tokenTransfers }: EnhancedTransaction, mint: string): boolean {
  return tokenTransfers.some(transfer => transfer.mint === mint);
}
