import type { HistoryItem, UnifiedCursor } from '../../contracts/http/history/history';
import type { JsonText } from '../../contracts/json/json-text';

/** What a page needs of a transaction: where it is in the history, and how it is served. */
export type TimelineItem = {
  /** Unix seconds. */
  readonly time: number;
  readonly served: () => JsonText<HistoryItem>;
} & (
  | { readonly kind: 'ton'; readonly lt: string; readonly hash: string }
  | { readonly kind: 'solana'; readonly signature: string; readonly mints: readonly string[] }
);

/** Some transactions of a wallet on one chain, newest first. */
export interface TimelinePart {
  readonly items: readonly TimelineItem[];
  /** True when there are items older than the last one. */
  readonly more: boolean;
}

/**
 * Reads the next transactions of a wallet on one chain. A part with fewer than `limit` is the last one.
 * @throws Problem 503 when something of it is missing
 */
export type TimelineSource = (limit: number) => Promise<TimelinePart>;

export interface MergedPage {
  readonly items: readonly TimelineItem[];
  readonly hasMore: boolean;
  readonly cursor: UnifiedCursor;
}

/** Of a page over several chains, what is read of each at first: it seldom needs a whole page of one. */
const FIRST_PART = 5 / 8;

/** A source, and what was read of it. */
class Strand {
  #items: readonly TimelineItem[] = [];
  #taken = 0;
  #limit = 0;
  #more = true;

  constructor(private readonly source: TimelineSource) {}

  /** Undefined when all that was read is taken. */
  get next(): TimelineItem | undefined {
    return this.#items[this.#taken];
  }

  get hasMore(): boolean {
    return this.#more || this.next !== undefined;
  }

  get canReadOn(): boolean {
    return this.next === undefined && this.#more && this.#items.length >= this.#limit;
  }

  take(): void {
    this.#taken += 1;
  }

  async readOn(limit: number): Promise<void> {
    const { items, more } = await this.source(limit);
    this.#items = items;
    this.#more = more;
    this.#limit = limit;
    this.#taken = 0;
  }
}

/** The one whose next item is the newest; of two that are equally new, the first. */
function newestOf(strands: readonly Strand[]): Strand | null {
  let newest: Strand | null = null;
  for (const strand of strands)
    if (strand.next && (!newest || strand.next.time > newest.next!.time)) newest = strand;
  return newest;
}

/**
 * The cursor after the items. Solana has two: the last transaction that moved the token `mint`, and the last other one. Wallets
 * keep both so, hence everything that is older than both of them is the rest of the history.
 */
function cursorAfter(items: readonly TimelineItem[], from: UnifiedCursor, mint: string): UnifiedCursor {
  const cursor = { ...from };
  for (const item of items)
    if (item.kind === 'ton') cursor.ton = { lt: item.lt, hash: item.hash };
    else if (item.mints.includes(mint)) cursor.solanaToken = { ...from.solanaToken, before: item.signature };
    else cursor.solana = { before: item.signature };
  return cursor;
}

/**
 * Takes the newest item of any source until the page is full. Each source keeps its own order, even if timestamps of its
 * chain contradict it. The cursors are those of the last items taken, or the previous ones where none was taken.
 */
export async function mergeSources(
  sources: readonly TimelineSource[],
  limit: number,
  from: UnifiedCursor,
  mint: string,
): Promise<MergedPage> {
  const strands = sources.map(source => new Strand(source));
  const first = sources.length === 1 ? limit : Math.ceil(limit * FIRST_PART);
  await Promise.all(strands.map(strand => strand.readOn(first)));
  const items: TimelineItem[] = [];
  while (items.length < limit) {
    for (const strand of strands) if (strand.canReadOn) await strand.readOn(limit - items.length);
    const newest = newestOf(strands);
    if (!newest) break;
    items.push(newest.next!);
    newest.take();
  }
  return {
    items,
    hasMore: strands.some(strand => strand.hasMore),
    cursor: cursorAfter(items, from, mint),
  };
}
