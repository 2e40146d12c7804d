import type { FeeEvent, FeeFacts } from '../../contracts/events/fee';
import { Sum } from '../../contracts/money/money';

/** Fees of one status: how many, and the sums of their amounts. */
export type Cell = { readonly count: number; readonly fee: string; readonly gross: string };

/** Sums by status. A status without any fee so far is absent. */
export type Cells = {
  pending?: Cell;
  collected?: Cell;
  waived?: Cell;
  reversed?: Cell;
};
export type Status = keyof Cells;

export const STATUSES: readonly Status[] = ['collected', 'pending', 'reversed', 'waived'];

/**
 * The changed cells after fees moved from one status to another, in the order of the events: buckets of the same events
 * are then equal as text, which is how a rebuild compares them.
 */
export function applyFeeEvents(cells: Cells, events: readonly FeeEvent[]): Cells {
  const tallies = new Map<Status, Tally>();
  const tally = (status: Status): Tally => {
    let known = tallies.get(status);
    if (!known) tallies.set(status, (known = new Tally().add(cells[status])));
    return known;
  };
  for (const event of events) {
    const { fee, from, to } = statusChangeOf(event);
    tally(to).addFee(fee);
    if (from) tally(from).removeFee(fee);
  }
  const changed: Cells = {};
  for (const [status, { cell }] of tallies) changed[status] = cell;
  return changed;
}

/** A ledger row with its new status and its previous one; null for a new row. */
interface StatusChange {
  readonly fee: FeeFacts;
  readonly from: Status | null;
  readonly to: Status;
}

/** The row that an event changes. An invoiced fee is reversed by a new row, the adjustment; its own row does not change. */
export function statusChangeOf(event: FeeEvent): StatusChange {
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

type Amounts = Pick<FeeFacts, 'fee_amount' | 'gross_amount'>;

/** The sum of many cells, as integers until it is formatted. */
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

  addFee({ fee_amount, gross_amount }: Amounts): void {
    this.count++;
    this.fee.add(fee_amount);
    this.gross.add(gross_amount);
  }

  removeFee({ fee_amount, gross_amount }: Amounts): void {
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
