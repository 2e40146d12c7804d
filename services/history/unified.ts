import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { HistoryItem, UnifiedCursor } from '../../contracts/http/history';

/** One source of a unified history, newest first. */
export interface Strand {
  readonly kind: keyof UnifiedCursor;
  readonly items: readonly HistoryItem[];
  /** There is more behind the last item. */
  readonly more: boolean;
}

export interface UnifiedPage {
  readonly data: HistoryItem[];
  readonly hasMore: boolean;
  readonly cursor: UnifiedCursor;
}

const timeOf = (item: HistoryItem): number => (item.type === 'ton' ? item.data.time : item.data.timestamp);

function advance(cursor: UnifiedCursor, kind: Strand['kind'], item: HistoryItem): UnifiedCursor {
  if (item.type === 'ton') return { ...cursor, ton: { lt: item.data.lt, hash: item.data.hash } };
  return { ...cursor, [kind]: { ...cursor[kind], before: item.data.signature } };
}

/**
 * Takes the newest item of any strand until the page is full. Each strand keeps its own order, whatever the clocks of
 * the chains say, and its own place to go on from: the last item taken of it, or where it stood when none was.
 */
export function unify(strands: readonly Strand[], limit: number, from: UnifiedCursor): UnifiedPage {
  const taken = new Map(strands.map(strand => [strand, 0]));
  const data: HistoryItem[] = [];
  let cursor = from;
  while (data.length < limit) {
    const heads = strands.flatMap(strand => {
      const item = strand.items[taken.get(strand)!];
      return item ? [{ strand, item }] : [];
    });
    const [first, ...rest] = heads;
    if (!first) break;
    const newest = rest.reduce((best, head) => (timeOf(head.item) > timeOf(best.item) ? head : best), first);
    taken.set(newest.strand, taken.get(newest.strand)! + 1);
    cursor = advance(cursor, newest.strand.kind, newest.item);
    data.push(newest.item);
  }
  const hasMore = strands.some(strand => strand.more || taken.get(strand)! < strand.items.length);
  return { data, hasMore, cursor };
}

export function movesToken({ tokenTransfers }: EnhancedTransaction, mint: string): boolean {
  return tokenTransfers.some(transfer => transfer.mint === mint);
}
