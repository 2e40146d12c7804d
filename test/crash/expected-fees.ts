import { between, chance, oneOf } from './load-target';

export type Status = 'pending' | 'collected' | 'waived' | 'reversed';

/** Amounts are in millionths: plain integers, so that the sums do not use the code under test. */
export interface Fee {
  readonly id: string;
  readonly type: string;
  readonly fee: bigint;
  readonly gross: bigint;
  readonly merchant: string;
  readonly createdAt: string;
}

/** One row of a batch, with the status of its fee before and after. */
interface Change {
  readonly fee: Fee;
  readonly before: Status | null;
  readonly after: Status;
  readonly row: object;
}
type Batch = readonly Change[];

export const PERIODS = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'] as const;
const MERCHANTS = ['espresso', 'noon', 'bakery', 'kiosk', 'cinema'] as const;
const TYPES = ['creation', 'payout'] as const;
const NEW_ROWS = 14;
const CHANGES = 6;

const NEXT: Partial<Record<Status, readonly (readonly [action: string, after: Status])[]>> = {
  pending: [
    ['collect', 'collected'],
    ['waive', 'waived'],
  ],
  collected: [['reverse', 'reversed']],
};

const decimal = (millionths: bigint): string =>
  `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`;

export function millionths(text: string): bigint {
  const match = /^(-?)(\d+)\.(\d{2,6})$/.exec(text);
  if (!match) throw new Error(`not an amount with at most six decimals: ${text}`);
  const amount = BigInt(match[2]! + match[3]!.padEnd(6, '0'));
  return match[1] ? -amount : amount;
}

/** The fees that the clients expect: the acknowledged status or, without an answer, the two possible ones. */
export class ExpectedFees {
  readonly fees = new Map<string, Fee>();
  readonly acknowledged = new Map<string, Status>();
  readonly uncertain = new Map<string, readonly (Status | null)[]>();
  /** Fees reversed after they were invoiced: they stay collected, with an adjustment row. */
  readonly adjusted = new Set<string>();
  /** Batches without an answer, to be sent again. */
  private readonly again: Batch[] = [];
  private readonly changing = new Set<string>();
  private made = 0;

  /** A batch to send, and whether it was sent before. */
  next(): { batch: Batch; repeated: boolean } {
    const left = this.again.shift();
    if (left) return { batch: left, repeated: true };
    return {
      batch: [
        ...Array.from({ length: NEW_ROWS }, () => this.record()),
        ...Array.from({ length: CHANGES }, () => this.change()).filter(change => change !== null),
      ],
      repeated: false,
    };
  }

  accept(batch: Batch): void {
    for (const { fee, after } of batch) {
      this.changing.delete(fee.id);
      this.acknowledged.set(fee.id, after);
    }
  }

  /** There was no answer. Half of the batches are retried later, the others never. */
  lose(batch: Batch): void {
    if (chance(0.5)) {
      this.again.push(batch);
      return;
    }
    for (const { fee, before, after } of batch) {
      this.acknowledged.delete(fee.id);
      this.uncertain.set(fee.id, [before, after]);
    }
  }

  get isComplete(): boolean {
    return this.again.length === 0;
  }

  private record(): Change {
    const id = `fee-${++this.made}`;
    const fee: Fee = {
      id,
      type: oneOf(TYPES),
      fee: BigInt(between(1, 9_999_999)),
      gross: BigInt(between(10_000_000, 999_999_999)),
      merchant: oneOf(MERCHANTS),
      createdAt: `${oneOf(PERIODS)}-${String(between(1, 28)).padStart(2, '0')}T12:00:00.000Z`,
    };
    this.fees.set(id, fee);
    this.changing.add(id);
    const after = oneOf(['pending', 'collected'] as const);
    const row = {
      id,
      fee_type: fee.type,
      fee_amount: decimal(fee.fee),
      gross_amount: decimal(fee.gross),
      collection_status: after,
      created_at: fee.createdAt,
      merchant_id: `m-${fee.merchant}`,
      merchant_name: fee.merchant,
      merchant_slug: fee.merchant,
    };
    return { fee, before: null, after, row };
  }

  /** A change of a random fee without a pending change; null when the first one tried has one. */
  private change(): Change | null {
    const id = `fee-${between(1, this.made)}`;
    const before = this.changing.has(id) ? undefined : this.acknowledged.get(id);
    const choices = before && NEXT[before];
    if (!choices) return null;
    const [action, after] = oneOf(choices);
    this.changing.add(id);
    return { fee: this.fees.get(id)!, before, after, row: { id, action } };
  }
}
