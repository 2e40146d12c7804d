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

/** Some of what is in the history of a wallet by one source, newest first. */
export interface TimelinePart<Item> {
  readonly items: readonly Item[];
  /** True when there are items older than the last one. */
  readonly more: boolean;
}

/**
 * Reads what is next in the history of a wallet, such as its transactions on one chain. A part with fewer than `limit` is the
 * last one.
 * @throws Problem 503 when something of it is missing
 */
export type TimelineSource<Item = TimelineItem> = (limit: number) => Promise<TimelinePart<Item>>;

export interface MergedPage<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/** Unix seconds, of chains whole ones. */
interface Timed {
  readonly time: number;
}

/** Of a page over several sources, what is read of each at first: it seldom needs a whole page of one. */
const FIRST_PART = 5 / 8;

/** A source, and what was read of it. */
class Strand<Item> {
  #items: readonly Item[] = [];
  #taken = 0;
  #limit = 0;
  #more = true;

  constructor(private readonly source: TimelineSource<Item>) {}

  /** Undefined when all that was read is taken. */
  get next(): Item | undefined {
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
function newestOf<Item extends Timed>(strands: readonly Strand<Item>[]): Strand<Item> | null {
  let newest: Strand<Item> | null = null;
  for (const strand of strands)
    if (strand.next && (!newest || strand.next.time > newest.next!.time)) newest = strand;
  return newest;
}

/**
 * The cursor after the items: of the last one of each kind, or the previous one where there is none. Solana has two: the last transaction that moved the token `mint`, and the last other one. Wallets
 * keep both so, hence everything that is older than both of them is the rest of the history.
 */
export function cursorAfter(
  items: readonly TimelineItem[],
  from: UnifiedCursor,
  mint: string,
): UnifiedCursor {
  const cursor = { ...from };
  for (const item of items)
    if (item.kind === 'ton') cursor.ton = { lt: item.lt, hash: item.hash };
    else if (item.mints.includes(mint)) cursor.solanaToken = { ...from.solanaToken, before: item.signature };
    else cursor.solana = { before: item.signature };
  return cursor;
}

/**
 * Takes the newest item of any source until the page is full. Each source keeps its own order, even if timestamps of its
 * chain contradict it.
 */
export async function mergeSources<Item extends Timed>(
  sources: readonly TimelineSource<Item>[],
  limit: number,
): Promise<MergedPage<Item>> {
  const strands = sources.map(source => new Strand(source));
  const first = sources.length === 1 ? limit : Math.ceil(limit * FIRST_PART);
  await Promise.all(strands.map(strand => strand.readOn(first)));
  const items: Item[] = [];
  while (items.length < limit) {
    for (const strand of strands) if (strand.canReadOn) await strand.readOn(limit - items.length);
    const newest = newestOf(strands);
    if (!newest) break;
    items.push(newest.next!);
    newest.take();
  }
  return { items, hasMore: strands.some(strand => strand.hasMore) };
}
