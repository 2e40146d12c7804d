import { callUntilReady, type Answer } from '../e2e/client';
import type { ExpectedInvoices } from './billing-load';
import { millionths, type Fee, type ExpectedFees, type Status } from './expected-fees';
import type { Counted } from './count-transfers';
import type { Target } from './load-target';

type Caller = Pick<Target, 'url' | 'token'>;

interface Row {
  readonly id: string;
  readonly collection_status: Status;
  readonly fee_amount: string;
  readonly gross_amount: string;
  readonly merchant_slug: string;
}

async function act({ url, token }: Caller, body: object, after: string | null = null): Promise<Answer> {
  const answer = await callUntilReady(url, 'POST', '/api/instance-admin', { token, body, after });
  expect(answer.status).toBe(200);
  return answer;
}

/** The position of the ledger's last event: what was acknowledged may not be projected yet. */
async function lastPosition(caller: Caller): Promise<string> {
  const { headers } = await act(caller, { action: 'get_revenue', proof: true });
  return headers.get('x-ledger-position')!;
}

async function allRows<R>(caller: Caller, action: string): Promise<R[]> {
  const all: R[] = [];
  const position = await lastPosition(caller);
  for (let page = 1; ; page++) {
    const { body } = await act(caller, { action, page, pageSize: 200 }, position);
    const { rows, total } = body as { rows: R[]; total: number };
    all.push(...rows);
    if (rows.length === 0) {
      expect(all).toHaveLength(total);
      return all;
    }
  }
}

/** Compares the fee ledger with the expected fees, row by row, and resolves the uncertain ones. */
export async function countFees(caller: Caller, expected: ExpectedFees): Promise<Counted> {
  const acknowledged = expected.acknowledged.size;
  const ledger = await allRows<Row>(caller, 'list_fee_ledger');
  const rows = withoutAdjustments(ledger, expected);
  const found = new Map<string, Row>();
  let doubled = 0;
  for (const row of rows) {
    if (found.has(row.id)) doubled++;
    found.set(row.id, row);
    const fee = expected.fees.get(row.id)!;
    expect([millionths(row.fee_amount), millionths(row.gross_amount), row.merchant_slug]).toEqual([
      fee.fee,
      fee.gross,
      fee.merchant,
    ]);
  }
  const lost = [...expected.acknowledged].filter(
    ([id, status]) => found.get(id)?.collection_status !== status,
  );
  for (const [id, possible] of expected.uncertain) {
    const status = found.get(id)?.collection_status ?? null;
    expect(possible).toContain(status);
    if (status !== null) expected.acknowledged.set(id, status);
  }
  expect([...found.keys()].filter(id => !expected.acknowledged.has(id))).toEqual([]);
  return { acknowledged, lost: lost.length, doubled };
}

const ADJUSTMENT = /~reversal$/;

/** The rows of fees; one with an adjustment row counts as reversed. */
function withoutAdjustments(ledger: readonly Row[], { fees, adjusted }: ExpectedFees): Row[] {
  adjusted.clear();
  for (const row of ledger.filter(({ id }) => ADJUSTMENT.test(id))) {
    const id = row.id.replace(ADJUSTMENT, '');
    const { fee, gross } = fees.get(id)!;
    expect(adjusted.has(id)).toBe(false);
    expect([millionths(row.fee_amount), millionths(row.gross_amount)]).toEqual([-fee, -gross]);
    expect(ledger.find(each => each.id === id)?.collection_status).toBe('collected');
    adjusted.add(id);
  }
  return ledger
    .filter(({ id }) => !ADJUSTMENT.test(id))
    .map(row => (adjusted.has(row.id) ? { ...row, collection_status: 'reversed' } : row));
}

interface Revenue {
  readonly summary: readonly {
    readonly fee_type: string;
    readonly collection_status: string;
    readonly count: number;
    readonly total_fee: string;
    readonly total_gross: string;
  }[];
  readonly byMerchant: readonly {
    readonly merchant_name: string;
    readonly fee_count: number;
    readonly collected: string;
    readonly pending: string;
  }[];
}

/** The sums of the revenue summary equal those of the expected fees, to the last millionth. */
export async function expectRevenue(
  caller: Caller,
  { fees, acknowledged, adjusted }: ExpectedFees,
): Promise<void> {
  const summary = new Map<string, [count: number, fee: bigint, gross: bigint]>();
  const merchants = new Map<string, { count: number; collected: bigint; pending: bigint }>();
  const addUp = (status: Status, { type, fee, gross, merchant }: Fee): void => {
    const [count, allFees, allGross] = summary.get(`${type} ${status}`) ?? [0, 0n, 0n];
    summary.set(`${type} ${status}`, [count + 1, allFees + fee, allGross + gross]);
    const of = merchants.get(merchant) ?? { count: 0, collected: 0n, pending: 0n };
    of.count++;
    if (status === 'collected' || status === 'pending') of[status] += fee;
    merchants.set(merchant, of);
  };
  for (const [id, status] of acknowledged) {
    const fee = fees.get(id)!;
    addUp(adjusted.has(id) ? 'collected' : status, fee);
    if (adjusted.has(id)) addUp('collected', { ...fee, fee: -fee.fee, gross: -fee.gross });
  }
  const { body } = await act(caller, { action: 'get_revenue' }, await lastPosition(caller));
  const revenue = body as Revenue;
  expect(
    new Map(
      revenue.summary.map(({ fee_type, collection_status, count, total_fee, total_gross }) => [
        `${fee_type} ${collection_status}`,
        [count, millionths(total_fee), millionths(total_gross)],
      ]),
    ),
  ).toEqual(summary);
  expect(
    new Map(
      revenue.byMerchant.map(({ merchant_name, fee_count, collected, pending }) => [
        merchant_name,
        { count: fee_count, collected: millionths(collected), pending: millionths(pending) },
      ]),
    ),
  ).toEqual(merchants);
}

interface InvoiceRow {
  readonly invoiceId: string;
  readonly billingPeriod: string;
  readonly status: 'draft' | 'finalized' | 'void';
  readonly number: string | null;
}

/** Every invoice is as acknowledged, at most one a period is live, and numbers have no gap. */
export async function expectInvoices(caller: Caller, { invoices }: ExpectedInvoices): Promise<number> {
  const rows = await allRows<InvoiceRow>(caller, 'list_invoices');
  const known = [...invoices.values()].sort((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1));
  const listed = [...rows].sort((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1));
  expect(listed.map(({ invoiceId, billingPeriod, status }) => [invoiceId, billingPeriod, status])).toEqual(
    known.map(({ invoiceId, billingPeriod, status }) => [invoiceId, billingPeriod, status]),
  );
  for (const { invoiceId, number } of rows) {
    const acknowledged = invoices.get(invoiceId)!.number;
    if (acknowledged !== null) expect(number).toBe(acknowledged);
  }
  const live = rows.filter(({ status }) => status !== 'void').map(({ billingPeriod }) => billingPeriod);
  expect(new Set(live).size).toBe(live.length);

  const years = new Map<string, number[]>();
  for (const { number } of rows) {
    const [, year, sequence] = /^INV-(\d{4})\d\d-(\d{4,})$/.exec(number ?? '') ?? [];
    if (year) years.set(year, [...(years.get(year) ?? []), Number(sequence)]);
  }
  for (const sequences of years.values())
    expect(sequences.sort((a, b) => a - b)).toEqual(sequences.map((_, index) => index + 1));
  return rows.length;
}
