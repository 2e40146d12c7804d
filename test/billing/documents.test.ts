import { parse } from 'csv-parse/sync';
import type { Response } from 'supertest';
import { canonicalDigest } from '../../contracts/json/canonical-json';
import type { Invoice } from '../../contracts/http/billing/responses';
import type { Settlement } from '../../contracts/http/billing/settlements';
import { drawable, reversible } from '../../services/billing/documents/statement-pdf';
import { erase } from '../../services/erasure/erase';
import { pdfPages } from './pdf-pages';
import { openInstance, type TestInstance } from './instance';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance();
});
afterEach(() => instance.close());

const OPERATOR = { now: '2026-12-10T09:00:00.000Z', actor: 'operator' };
const NAMES = [
  'Espresso & Co',
  'Кофейня «Утро»',
  'Καφές',
  'קפה תל אביב',
  'قهوة الصباح',
  'Café Ñandú',
  '珈琲店',
  '=HYPERLINK("x")',
];

const invoiced = async (): Promise<Invoice> => {
  await instance.record(
    NAMES.map((merchant_name, n) => ({
      id: `f-${n}`,
      merchant_id: `m-${n}`,
      merchant_slug: `s-${n}`,
      merchant_name,
      fee_amount: n === 0 ? '0.000000000000000001' : '1.50',
    })),
  );
  return (await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' })).body
    .invoice as Invoice;
};
const file = (body: object): Promise<Response> => instance.act(body) as Promise<Response>;
const cells = (text: string): string[][] =>
  parse(text, { relax_column_count: true, record_delimiter: '\r\n' }) as string[][];

describe('an invoice as a file', () => {
  it('is CSV with every field and line', async () => {
    const { invoiceId, contentHash } = await invoiced();
    const { status, headers, text } = await file({ action: 'export_invoice', invoiceId, format: 'csv' });
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="invoice-${invoiceId}.csv"`,
    ]);
    expect(headers['x-ledger-position']).toMatch(/^\d+$/);
    const rows = cells(text);
    expect(rows).toContainEqual(['Instance', 'local']);
    expect(rows).toContainEqual(['Content hash (SHA-256)', contentHash]);
    expect(rows).toContainEqual(['Total fees', '10.500000000000000001']);
    expect(rows).toContainEqual([
      'Espresso & Co',
      'm-0',
      's-0',
      'creation',
      '1',
      '100.00',
      '0.000000000000000001',
    ]);
    expect(rows).toContainEqual(['珈琲店', 'm-6', 's-6', 'creation', '1', '100.00', '1.50']);
    expect(rows).toContainEqual([`'=HYPERLINK("x")`, 'm-7', 's-7', 'creation', '1', '100.00', '1.50']);
  });

  it('is a PDF with every field and line, of the same bytes each time', async () => {
    const { invoiceId, contentHash } = await invoiced();
    await instance.act({ action: 'finalize_invoice', invoiceId });
    const get = () => file({ action: 'export_invoice', invoiceId, format: 'pdf' });
    const { headers, body } = await get();
    expect(headers['content-type']).toBe('application/pdf');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="invoice-INV-\d{6}-0001\.pdf"$/);
    const bytes = body as Buffer;
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await get()).body).toEqual(bytes);
    const pages = pdfPages(bytes);
    expect(pages).toHaveLength(1);
    for (const text of [
      'Instance local',
      `Content hash (SHA-256) ${contentHash}`,
      'Total fees 10.500000000000000001',
      'Espresso & Co m-0 s-0 creation 1 100.00 0.000000000000000001',
      ...[1, 2, 3, 4, 5].map(n => `${NAMES[n]!} m-${n} s-${n} creation 1 100.00 1.50`),
      '\ufffd\ufffd\ufffd m-6 s-6',
      'Total 8 800.00\n10.500000000000000001',
    ])
      expect(pages[0]).toContain(text);
  });

  it('shows a reason, and that it was erased', async () => {
    const { invoiceId } = await invoiced();
    await instance.act({ action: 'void_invoice', invoiceId, reason: 'wrong month' });
    const get = async () => cells((await file({ action: 'export_invoice', invoiceId, format: 'csv' })).text);
    expect(await get()).toContainEqual(['Reason', 'wrong month']);
    await erase({ keys: instance.subjects, handle: instance.deps.handle }, 'admin@test', OPERATOR);
    expect(await get()).toContainEqual(['Reason', '(erased)']);
  });

  it('of too many lines for a PDF is CSV', async () => {
    for (let batch = 0; batch < 2; batch++)
      await instance.record(
        Array.from({ length: 600 }, (_, n) => ({ id: `l-${batch}-${n}`, merchant_id: `m-${batch}-${n}` })),
      );
    const { body } = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' });
    const { invoiceId } = body.invoice as Invoice;
    expect(await file({ action: 'export_invoice', invoiceId, format: 'pdf' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/format' }] },
    });
    const { text } = await file({ action: 'export_invoice', invoiceId, format: 'csv' });
    expect(cells(text).filter(([, id]) => id?.startsWith('m-'))).toHaveLength(1_200);
  });
});

describe('sums of more digits than an amount', () => {
  const AMOUNT = '-99999999999999999999.999999999999999999';
  const SUM = '-199999999999999999999.999999999999999998';
  const OWED = '-399999999999999999999.999999999999999996';
  const large = () =>
    instance.record(
      ['a', 'b'].map(id => ({ id, fee_amount: AMOUNT.slice(1), gross_amount: AMOUNT, merchant_id: 'm-1' })),
    );

  it('are numbers in the CSV of an invoice, and not broken in its PDF', async () => {
    await large();
    const { body } = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' });
    const { invoiceId } = body.invoice as Invoice;
    const rows = cells((await file({ action: 'export_invoice', invoiceId, format: 'csv' })).text);
    expect(rows).toContainEqual(['Total gross', SUM]);
    expect(rows).toContainEqual(expect.arrayContaining(['m-1', '2', SUM, SUM.slice(1)]));
    const pdf = await file({ action: 'export_invoice', invoiceId, format: 'pdf' });
    const [page] = pdfPages(pdf.body as Buffer);
    expect(page).toContain(`Total gross ${SUM}`);
    // The others, then each of them.
    expect(page).toContain(`m-1 espresso creation 2\n${SUM}\n${SUM.slice(1)}\n`);
  });

  it('are numbers in the CSV of a settlement, and not broken in its PDF', async () => {
    await large();
    const made = await instance.act({ action: 'generate_settlement', billingPeriod: '2026-11' });
    const [{ settlementId }] = made.body.settlements as [Settlement];
    const rows = cells((await file({ action: 'export_settlement', settlementId, format: 'csv' })).text);
    expect(rows).toContainEqual(['Net amount', OWED]);
    expect(rows).toContainEqual(['2026-11', '2', SUM, SUM.slice(1)]);
    const pdf = await file({ action: 'export_settlement', settlementId, format: 'pdf' });
    expect(pdfPages(pdf.body as Buffer)[0]).toContain(`2026-11 2\n${SUM}\n${SUM.slice(1)}\n`);
  });
});

describe('a settlement as a file', () => {
  it('is CSV or PDF, and its hash stays when it is paid', async () => {
    await instance.record([{ id: 'a', merchant_name: 'Кофейня' }]);
    const { body } = await instance.act({ action: 'generate_settlement', billingPeriod: '2026-11' });
    const [{ settlementId }] = body.settlements as [Settlement];
    const get = async () =>
      cells((await file({ action: 'export_settlement', settlementId, format: 'csv' })).text);
    const before = await get();
    expect(before).toContainEqual(['Merchant', 'Кофейня']);
    expect(before).toContainEqual(['Net amount', '98.50']);
    expect(before).toContainEqual(['2026-11', '1', '100.00', '1.50']);
    await instance.act({ action: 'mark_settlement_paid', settlementId, reference: 'wire 7' });
    const after = await get();
    const hashIn = (rows: string[][]) => rows.find(([label]) => label?.startsWith('Content hash'));
    expect(hashIn(after)).toEqual(hashIn(before));
    expect(after).toContainEqual(['Reference', 'wire 7']);
    const pdf = await file({ action: 'export_settlement', settlementId, format: 'pdf' });
    const [page] = pdfPages(pdf.body as Buffer);
    for (const text of ['Merchant Кофейня', 'Net amount 98.50', '2026-11 1 100.00 1.50'])
      expect(page).toContain(text);
  });

  it('has all that its hash is of, with negative amounts as numbers', async () => {
    await instance.record([{ id: 'a', gross_amount: '1.00' }]);
    await instance.act({ action: 'generate_settlement', billingPeriod: '2026-11' });
    await instance.record([{ id: 'b', created_at: '2026-10-20T11:00:00.000Z' }]);
    const { body } = await instance.act({ action: 'generate_settlement', billingPeriod: '2026-10' });
    const [settlement] = body.settlements as [Settlement];
    const { settlementId, carriedFrom } = settlement;
    const text = (await file({ action: 'export_settlement', settlementId, format: 'csv' })).text;
    const end = cells(text).findIndex(([label]) => label === '');
    const [, , ...fields] = cells(text).slice(0, end);
    const of = (label: string) => fields.find(([name]) => name === label)![1]!;
    expect(of('Carried in')).toBe('-0.50');
    expect(fields.filter(([name]) => name === 'Carried from')).toEqual([['Carried from', carriedFrom[0]]]);
    const content = {
      settlementId: of('Settlement'),
      billingPeriod: of('Billing period'),
      merchantId: of('Merchant id'),
      merchantName: of('Merchant'),
      currency: of('Currency'),
      grossCollected: of('Gross collected'),
      feesCollected: of('Fees collected'),
      rebateApplied: of('Rebate'),
      carriedIn: of('Carried in'),
      netAmount: of('Net amount'),
      feeCount: Number(of('Fees')),
      ledgerPosition: Number(of('Ledger position')),
      lines: cells(text)
        .slice(end + 2)
        .map(([billingPeriod, feeCount, grossCollected, feesCollected]) => ({
          billingPeriod: billingPeriod!,
          feeCount: Number(feeCount),
          grossCollected: grossCollected!,
          feesCollected: feesCollected!,
        })),
      carriedFrom,
    };
    expect(canonicalDigest(content)).toBe(of('Content hash (SHA-256)'));
  });
});

it('a line from right to left that is drawn in reverse has its numbers, words and brackets as they are read', () => {
  const drawn = (text: string) => Array.from(reversible(text)).reverse().join('');
  expect(drawn('שלום 12.50')).toBe('12.50 םולש');
  expect(drawn('قهوة (34)')).toBe('(34) ةوهق');
  expect(drawn('12 קפה Café (7) West ק')).toBe('ק Café (7) West הפק 12');
  for (const text of ['Espresso & Co (12)', 'Кофейня 12', 'Café קפה 12']) expect(reversible(text)).toBe(text);
});

it('characters without a glyph are replaced in a PDF, and others are not', () => {
  expect(NAMES.slice(0, 6).map(drawable)).toEqual(NAMES.slice(0, 6));
  expect(drawable('珈 a 🂡')).toMatch(/^\uFFFD a /);
});
