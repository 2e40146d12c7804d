import type { FeeResult, Invoice } from '../../contracts/http/billing/responses';
import { subtract, sum, ZERO } from '../../contracts/money/money';
import { setMerchant } from '../../services/billing/merchant/set';
import { fee, type FeeInput, type TestInstance } from './instance';

type Status = 'pending' | 'collected' | 'waived' | 'reversed';

interface Row {
  readonly amount: string;
  /** By UTC. */
  readonly period: string;
  status: Status;
}

interface Fee {
  readonly amount: string;
  readonly merchant: string;
  /** Also of a fee that is reversed by an adjustment. */
  status: Status;
  /** Stays collected when the fee is reversed by an adjustment. */
  readonly row: Row;
}

/** The fees of a month that changed since its invoice was drafted. */
type Changes = Pick<Invoice, 'uninvoicedFeeCount' | 'uninvoicedFee' | 'reversedFeeCount' | 'reversedFee'>;

const STATUS_AFTER: Readonly<Record<string, Status>> = {
  collect: 'collected',
  waive: 'waived',
  reverse: 'reversed',
};

/** A model of the fees: the status of each, and which are on the live invoice of a month, derived from the answers alone. */
export class FeeModel {
  /** The latest name of each merchant, set by a command or with a fee. */
  readonly names = new Map<string, string>();
  private readonly fees = new Map<string, Fee>();
  /** Names set by a command. */
  private readonly own = new Map<string, string>();
  /** Those of fees, and adjustments. */
  private readonly rows = new Set<Row>();
  /** The rows on the live invoice of a month. */
  private readonly invoiced = new Map<string, ReadonlySet<Row>>();
  private count = 0;

  constructor(
    private readonly instance: TestInstance,
    private readonly now: () => string,
  ) {}

  /** Records fees with new names, or without, so that those set by a command are used. */
  async record(rows: readonly FeeInput[], named: boolean): Promise<void> {
    const call = `of batch ${++this.count}`;
    const sent = rows.map(row =>
      fee(row.action === undefined ? { ...row, merchant_name: named ? call : undefined } : row),
    );
    const { status, body } = await this.instance.record(sent);
    expect(status).toBe(200);
    (body.results as FeeResult[]).forEach(({ result, problem }, index) => {
      if (problem && !['fee_exists', 'merchant_not_found'].includes(problem.code))
        expect(problem.code).toMatch(/^fee_not_/);
      if (result === 'recorded') this.learn(sent[index]!, named ? call : null);
    });
  }

  async recordMany(count: number, amount: string): Promise<void> {
    const rows = Array.from({ length: count }, () => ({
      id: `many-${++this.count}`,
      merchant_id: 'm-1',
      fee_amount: amount,
    }));
    await this.record(rows, true);
  }

  /** Reverses some of the collected fees, most of which are in an invoice. */
  async reverse(picks: readonly number[]): Promise<void> {
    const collected = [...this.fees].filter(([, { status }]) => status === 'collected').map(([id]) => id);
    if (collected.length === 0) return;
    const ids = new Set(picks.map(pick => collected[pick % collected.length]!));
    await this.record(
      [...ids].map(id => ({ id, action: 'reverse' })),
      true,
    );
  }

  async rename(merchant: string): Promise<void> {
    const name = `of its own ${++this.count}`;
    const metadata = { now: '2026-11-20T12:00:00.000Z', actor: 'test' };
    await setMerchant(this.instance.deps, { merchantId: merchant, name, slug: `own-${merchant}` }, metadata);
    this.own.set(merchant, name);
    this.names.set(merchant, name);
  }

  /** The rows that an invoice of the month has, if its snapshot is taken now. */
  collected(period: string): ReadonlySet<Row> {
    return new Set([...this.rows].filter(row => row.period === period && row.status === 'collected'));
  }

  draft(period: string, rows: ReadonlySet<Row>): void {
    this.invoiced.set(period, rows);
  }

  void(period: string): void {
    this.invoiced.delete(period);
  }

  /** What the live invoice of a month must say of the fees since. */
  changes(period: string): Changes {
    const invoiced = this.invoiced.get(period)!;
    const uninvoiced = [...this.collected(period)].filter(row => !invoiced.has(row));
    const reversed = [...invoiced].filter(({ status }) => status === 'reversed');
    return {
      uninvoicedFeeCount: uninvoiced.length,
      uninvoicedFee: sum(uninvoiced.map(row => row.amount)),
      reversedFeeCount: reversed.length,
      reversedFee: sum(reversed.map(row => row.amount)),
    };
  }

  total(status: Status, merchant?: string): string {
    const those = [...this.fees.values()].filter(
      each => each.status === status && (merchant === undefined || each.merchant === merchant),
    );
    return sum(those.map(each => each.amount));
  }

  private learn(
    { id, action, fee_amount, merchant_id, collection_status, created_at }: FeeInput,
    call: string | null,
  ): void {
    if (action !== undefined) {
      this.change(this.fees.get(id)!, STATUS_AFTER[action]!);
      return;
    }
    const status = collection_status === 'pending' ? 'pending' : 'collected';
    const row: Row = { amount: fee_amount!, period: created_at!.slice(0, 7), status };
    this.rows.add(row);
    this.fees.set(id, { amount: fee_amount!, merchant: merchant_id!, status, row });
    this.names.set(merchant_id!, call ?? this.own.get(merchant_id!)!);
  }
  /** A fee on a live invoice is reversed by another row, in the month of the reversal. */
  private change(fee: Fee, status: Status): void {
    fee.status = status;
    const { row } = fee;
    if (status === 'reversed' && this.invoiced.get(row.period)?.has(row))
      this.rows.add({ ...row, amount: subtract(ZERO, row.amount), period: this.now().slice(0, 7) });
    else row.status = status;
  }
}
