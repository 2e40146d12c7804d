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
    const { fee, from, to } = moveOf(event);
    tally(to).put(fee);
    if (from) tally(from).take(fee);
  }
  const changed: Cells = {};
  for (const [status, { cell }] of tallies) changed[status] = cell;
  return changed;
}

/** A row of the ledger that comes to a status, from the one it was in or as a new row. */
interface Move {
  readonly fee: FeeFacts;
  readonly from: Status | null;
  readonly to: Status;
}

/** The row that an event changes. One that an invoice holds stays as it is when it is reversed: the adjustment comes. */
export function moveOf(event: FeeEvent): Move {
  switch (event.type) {
    case 'FeeRecorded':
      return { fee: event.data, from: null, to: event.data.collection_status };
    case 'FeeCollected':
      return { fee: event.data, from: 'pending', to: 'collected' };
    case 'FeeWaived':
      return { fee: event.data, from: 'pending', to: 'waived' };
    case 'FeeReversed': {
      const { adjustment } = event.data;
      return adjustment
        ? { fee: adjustment, from: null, to: 'collected' }
        : { fee: event.data, from: 'collected', to: 'reversed' };
    }
  }
}

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
