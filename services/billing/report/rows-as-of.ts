import type { Day } from '../../../contracts/time/billing-period';
import { FEE_CATEGORY, feeEvents } from '../../../contracts/events/fee';
import type { FeeRow } from '../../../contracts/http/billing/responses';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import { BEGINNING, type Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import {
  compareRows,
  matchesFilter,
  rowBefore,
  scanFees,
  type RowKey,
} from '../../../projections/billing/fee-ledger';
import type { FeeFilter } from '../../../projections/billing/fee-filter';
import type { Views } from '../../../projections/views';

interface RowsDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly views: Views;
}

interface RowsQuery {
  readonly filter: FeeFilter;
  /** A position that the fee ledger has folded. */
  readonly position: Position;
  /** The row before the first one; null to begin with the newest. */
  readonly after: RowKey | null;
  /** Events since the position that are undone. Default: `MAX_UNDONE`. */
  readonly maxUndone?: number;
}

/** Few enough to be in memory. */
const MAX_UNDONE = 20_000;
const PAGE_EVENTS = 500;
const NEWEST_FIRST = { categories: [FEE_CATEGORY], direction: 'backwards', limit: PAGE_EVENTS } as const;

/**
 * The matching rows of the current fee ledger as of a recent position, newest first. What was recorded since is undone: each
 * event of a fee says what its row was before. Null when too much was recorded since; then the ledger has to be folded.
 * Pages are read as they are consumed.
 */
export async function rowsAsOf(
  { store, views }: RowsDeps,
  { filter, position, after, maxUndone = MAX_UNDONE }: RowsQuery,
): Promise<AsyncIterable<readonly FeeRow[]> | null> {
  const changes = await ChangedRows.since(store, position, maxUndone);
  if (!changes) return null;
  const rows = scanFees(views, filter, after);

  async function* pages(): AsyncIterable<readonly FeeRow[]> {
    let last = after;
    for await (const page of rows) {
      // Whatever the page includes is recorded by now.
      await changes!.update();
      const end = page.at(-1);
      if (!end) continue;
      const unchanged = page.filter(({ id }) => !changes!.has(id));
      yield [...unchanged, ...changes!.take(filter, last, end)].sort(compareRows);
      last = end;
    }
    await changes!.update();
    yield changes!.take(filter, last, null).sort(compareRows);
  }
  return pages();
}

/** The rows that events after a position have changed, as they were at the position. */
class ChangedRows {
  /** Null for a row that was added since. */
  readonly #before = new Map<string, { readonly row: FeeRow | null; readonly day: Day }>();

  private constructor(
    private readonly store: RowsDeps['store'],
    /** Position of the newest event that was undone, or need not be. */
    private reached: Position,
    private readonly maxEvents: number,
  ) {}

  /**
   * Null when more events than can be undone were recorded since. Reads backwards from the newest one: a position from a
   * client need not be that of an event, and stores can only continue from one.
   */
  static async since(
    store: RowsDeps['store'],
    position: Position,
    maxEvents: number,
  ): Promise<ChangedRows | null> {
    const changes = new ChangedRows(store, BEGINNING, maxEvents);
    let oldest: Position | undefined;
    for (let undone = 0; ;) {
      let read = 0;
      const before = oldest === undefined ? {} : { after: oldest };
      for await (const events of store.readAll({ ...NEWEST_FIRST, ...before }))
        for (const recorded of events) {
          read++;
          oldest = recorded.position;
          changes.reached = Math.max(changes.reached, recorded.position);
          if (recorded.position <= position) continue;
          if (++undone > maxEvents) return null;
          changes.#undo(recorded);
        }
      if (read < PAGE_EVENTS || oldest! <= position) return changes;
    }
  }

  has(id: string): boolean {
    return this.#before.has(id);
  }

  /** Undoes what was recorded since the last call. @throws Problem 503 when that is too much */
  async update(): Promise<void> {
    for await (const events of this.store.readAll({ categories: [FEE_CATEGORY], after: this.reached }))
      for (const recorded of events) {
        const { id } = rowBefore(feeEvents.read(recorded));
        if (!this.#before.has(id)) this.#undo(recorded);
        this.reached = recorded.position;
      }
    if (this.#before.size > 2 * this.maxEvents)
      throw Problem.unavailable('Fees change faster than they are exported; try again.', 5);
  }

  /** The matching rows after one and up to another. */
  take(filter: FeeFilter, after: RowKey | null, end: RowKey | null): FeeRow[] {
    return [...this.#before.values()].flatMap(({ row, day }) =>
      row !== null &&
      matchesFilter(row, day, filter) &&
      (after === null || compareRows(row, after) > 0) &&
      (end === null || compareRows(row, end) <= 0)
        ? [row]
        : [],
    );
  }

  #undo(recorded: RecordedEvent): void {
    const { id, ...before } = rowBefore(feeEvents.read(recorded));
    this.#before.set(id, before);
  }
}
