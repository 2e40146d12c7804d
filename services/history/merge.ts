import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { HistoryItem, UnifiedCursor } from '../../contracts/http/history';

/** The transactions of a wallet on one chain, newest first. */
export interface TimelineSource {
  readonly kind: 'ton' | 'solana';
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

/**
 * The cursor after an item. Solana has two: the last transaction that moved the token `mint`, and the last other one. Wallets
 * keep both so, hence everything that is older than both of them is the rest of the history.
 */
function advance(cursor: UnifiedCursor, item: HistoryItem, mint: string): UnifiedCursor {
  if (item.type === 'ton') return { ...cursor, ton: { lt: item.data.lt, hash: item.data.hash } };
  const kind = movesToken(item.data, mint) ? 'solanaToken' : 'solana';
  return { ...cursor, [kind]: { ...cursor[kind], before: item.data.signature } };
}

/**
 * Takes the newest item of either source until the page is full. Each source keeps its own order, even if timestamps of its
 * chain contradict it. The cursors are those of the last items taken, or the previous ones where none was taken.
 */
export function mergeSources(
  sources: readonly TimelineSource[],
  limit: number,
  from: UnifiedCursor,
  mint: string,
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
    cursor = advance(cursor, newest.item, mint);
    data.push(newest.item);
  }
  const hasMore = sources.some(source => source.more || taken.get(source)! < source.items.length);
  return { data, hasMore, cursor };
}

function movesToken({ tokenTransfers }: EnhancedTransaction, mint: string): boolean {
  return tokenTransfers.some(transfer => transfer.mint === mint);
}
