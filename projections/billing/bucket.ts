import type { FeeEvent } from '../../contracts/events/fee';
import { add, amountOf, formatAmount, NOTHING, subtract } from '../../contracts/money';

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

const EMPTY: Cell = { count: 0, fee: NOTHING, gross: NOTHING };

/** Takes the fee of the event out of the status it leaves and puts it into the one it comes to. */
export function move<Bucket extends Cells>(bucket: Bucket, event: FeeEvent): Bucket {
  const { fee_amount, gross_amount } = event.data;
  const to = statusAfter(event);
  const { count, fee, gross } = bucket[to] ?? EMPTY;
  const moved: Cells = {
    ...bucket,
    [to]: { count: count + 1, fee: add(fee, fee_amount), gross: add(gross, gross_amount) },
  };
  const from = STATUS_BEFORE[event.type];
  if (from) {
    const { count, fee, gross } = bucket[from] ?? EMPTY;
    moved[from] = {
      count: count - 1,
      fee: subtract(fee, fee_amount),
      gross: subtract(gross, gross_amount),
    };
  }
  return moved as Bucket;
}

export const statusAfter = (event: FeeEvent): Status =>
  event.type === 'FeeRecorded' ? event.data.collection_status : STATUS_AFTER[event.type];

/** The sum of many cells, kept as integers until it is written. */
export class Tally {
  count = 0;
  private fee = 0n;
  private gross = 0n;

  add(cell: Cell | undefined): this {
    if (!cell) return this;
    this.count += cell.count;
    this.fee += amountOf(cell.fee);
    this.gross += amountOf(cell.gross);
    return this;
  }

  get totalFee(): string {
    return formatAmount(this.fee);
  }

  get totalGross(): string {
    return formatAmount(this.gross);
  }
}

const STATUS_AFTER = { FeeCollected: 'collected', FeeWaived: 'waived', FeeReversed: 'reversed' } as const;
const STATUS_BEFORE = {
  FeeRecorded: null,
  FeeCollected: 'pending',
  FeeWaived: 'pending',
  FeeReversed: 'collected',
} as const;
