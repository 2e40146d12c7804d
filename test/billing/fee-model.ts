import type { FeeResult } from '../../contracts/http/billing-responses';
import { sum } from '../../contracts/money';
import { setMerchant } from '../../services/billing/merchant/set';
import { fee, type FeeInput, type TestInstance } from './instance';

type Status = 'pending' | 'collected' | 'waived' | 'reversed';

interface Fee {
  readonly amount: string;
  readonly merchant: string;
  status: Status;
}

const STATUS_AFTER: Readonly<Record<string, Status>> = {
  collect: 'collected',
  waive: 'waived',
  reverse: 'reversed',
};

/** A model of the fees: the status of each, derived from the answers alone. */
export class FeeModel {
  /** The latest name of each merchant, set by a command or with a fee. */
  readonly names = new Map<string, string>();
  private readonly fees = new Map<string, Fee>();
  /** Names set by a command. */
  private readonly own = new Map<string, string>();
  private count = 0;

  constructor(private readonly instance: TestInstance) {}

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

  total(status: Status, merchant?: string): string {
    const those = [...this.fees.values()].filter(
      each => each.status === status && (merchant === undefined || each.merchant === merchant),
    );
    return sum(those.map(each => each.amount));
  }

  private learn(
    { id, action, fee_amount, merchant_id, collection_status }: FeeInput,
    call: string | null,
  ): void {
    if (action !== undefined) {
      this.fees.get(id)!.status = STATUS_AFTER[action]!;
      return;
    }
    const status = collection_status === 'pending' ? 'pending' : 'collected';
    this.fees.set(id, { amount: fee_amount!, merchant: merchant_id!, status });
    this.names.set(merchant_id!, call ?? this.own.get(merchant_id!)!);
  }
}
