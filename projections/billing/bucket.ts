import type { FeeEvent, FeeFacts } from '../../contracts/events/fee';
import { Sum } from '../../contracts/money';

/** Fees of one status: how many, and the sums of their amounts. */
export type Cell = { readonly count: number; readonly fee: string; readonly gross: string };

/** Sums by status. A status that no fee was ever in is absent. */
export type Cells = {
  pending?: Cell;
  collected?: Cell;
  waived?: Cell;
  reversed?: Cell;
};
export type Status = keyof Cells;

export const STATUSES: readonly Status[] = ['collected', 'pending', 'reversed', 'waived'];

/**
 * The cells that change as the fee of each event leaves the status it was in and comes to another, in the order in which
 * the events name them: buckets of the same events are then equal as text, which is how a rebuild compares them.
 */
export function moved(cells: Cells, events: readonly FeeEvent[]): Cells {
  const tallies = new Map<Status, Tally>();
  const tally = (status: Status): Tally => {
    let there = tallies.get(status);
    if (!there) tallies.set(status, (there = new Tally().add(cells[status])));
    return there;
  };
  for (const event of events) {
    tally(statusAfter(event)).put(event.data);
    const from = STATUS_BEFORE[event.type];
    if (from) tally(from).take(event.data);
  }
  const changed: Cells = {};
  for (const [status, { cell }] of tallies) changed[status] = cell;
  return changed;
}

export const statusAfter = (event: FeeEvent): Status =>
  event.type === 'FeeRecorded' ? event.data.collection_status : STATUS_AFTER[event.type];

/** The sum of many cells, kept as integers until they are written. */
export class Tally {
  count = 0;
  private readonly fee = new Sum();
  private readonly gross = new Sum();

  add(cell: Cell | undefined): this {
    if (!cell) return this;
    this.count += cell.count;
    this.fee.add(cell.fee);
    this.gross.add(cell.gross);
    return this;
  }

  put({ fee_amount, gross_amount }: FeeFacts): void {
    this.count++;
    this.fee.add(fee_amount);
    this.gross.add(gross_amount);
  }

  take({ fee_amount, gross_amount }: FeeFacts): void {
    this.count--;
    this.fee.subtract(fee_amount);
    this.gross.subtract(gross_amount);
  }

  get cell(): Cell {
    return { count: this.count, fee: this.totalFee, gross: this.totalGross };
  }

  get totalFee(): string {
    return this.fee.toString();
  }

  get totalGross(): string {
    return this.gross.toString();
  }
}

const STATUS_AFTER = { FeeCollected: 'collected', FeeWaived: 'waived', FeeReversed: 'reversed' } as const;
const STATUS_BEFORE = {
  FeeRecorded: null,
  FeeCollected: 'pending',
  FeeWaived: 'pending',
  FeeReversed: 'collected',
} as const;
