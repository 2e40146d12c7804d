import { parse } from 'csv-parse/sync';
import { tokenCommand } from '../../infra/cli/token';
import { readConfig } from '../../infra/program/settings/config';
import { runCommand } from '../command-line';
import { fee, type Installation } from './installation';

/** Expects a ledger that is empty. */
export function billing(main: Installation): void {
  it('a read with the position of a command includes its effect', async () => {
    const after = await main.record([
      fee('main-1'),
      fee('main-2', { fee_amount: '0.10', gross_amount: '10', created_at: '2026-01-21T00:00:00Z' }),
      fee('main-3', { collection_status: 'pending', merchant_id: 'm-2', merchant_slug: 'noon' }),
    ]);
    const summary = [
      { collection_status: 'collected', count: 2, total_fee: '1.60', total_gross: '110.00' },
      { collection_status: 'pending', count: 1, total_fee: '1.50', total_gross: '100.00' },
    ].map(entry => ({ fee_type: 'creation', ...entry }));
    const { body } = await main.act({ action: 'get_revenue' }, { after });
    expect((body as { summary: unknown[] }).summary).toEqual(expect.arrayContaining(summary));
    expect(body).toMatchObject({
      byMerchant: [
        { merchant_id: 'm-1', fee_count: 2, collected: '1.60', pending: '0.00' },
        { merchant_id: 'm-2', fee_count: 1, collected: '0.00', pending: '1.50' },
      ],
    });
    const ledger = await main.act(
      { action: 'list_fee_ledger', status: 'collected', page: 1, pageSize: 1 },
      { after },
    );
    expect(ledger.body).toMatchObject({ total: 2, page: 1, pageSize: 1, rows: [{ id: 'main-2' }] });
  });

  it('exports CSV that a spreadsheet reads', async () => {
    const { body } = await main.act({
      action: 'export_revenue_csv',
      dateFrom: '2026-01-01',
      dateTo: '2026-01-31',
    });
    const rows = parse((body as { csv: string }).csv, { columns: true, record_delimiter: '\r\n' });
    expect(Object.keys((rows as object[])[0]!)).toEqual([
      'id',
      'fee_type',
      'collection_status',
      'fee_amount',
      'gross_amount',
      'billing_period',
      'created_at',
      'merchant_slug',
      'merchant_name',
    ]);
    expect((rows as { id: string }[]).map(({ id }) => id)).toEqual(['main-2', 'main-3', 'main-1']);
    expect((rows as object[])[0]).toMatchObject({
      fee_amount: '0.10',
      gross_amount: '10.00',
      billing_period: '2026-01',
      merchant_name: 'Espresso, "Co" & Söhne',
    });
  });

  it('generates one invoice a month, finalizes it and voids it', async () => {
    expect(await main.act({ action: 'generate_invoice', billingPeriod: '2025-12' })).toMatchObject({
      status: 422,
    });
    const generated = await main.act({ action: 'generate_invoice', billingPeriod: '2026-01' });
    expect(generated).toMatchObject({
      status: 200,
      body: { invoice: { status: 'draft', feeCount: 2, totalFee: '1.60', number: null } },
    });
    const { invoiceId } = (generated.body as { invoice: { invoiceId: string } }).invoice;
    const duplicate = await main.act({ action: 'generate_invoice', billingPeriod: '2026-01' });
    expect(duplicate).toMatchObject({ status: 409, body: { code: 'invoice_period_exists', invoiceId } });

    const finalized = await main.act({ action: 'finalize_invoice', invoiceId });
    const number = expect.stringMatching(/^INV-\d{6}-0001$/);
    expect(finalized).toMatchObject({ status: 200, body: { invoice: { status: 'finalized', number } } });
    expect(await main.act({ action: 'finalize_invoice', invoiceId })).toMatchObject({ status: 409 });

    const voided = await main.act({ action: 'void_invoice', invoiceId, reason: 'wrong month' });
    expect(voided).toMatchObject({
      status: 200,
      body: { invoice: { status: 'void', number, voidReason: 'wrong month' } },
    });
    const after = voided.headers.get('x-ledger-position');
    expect(await main.act({ action: 'get_invoice', invoiceId }, { after })).toMatchObject({
      body: { invoice: { status: 'void', history: [{}, {}, { event: 'voided' }] } },
    });
    expect(await main.act({ action: 'list_invoices' }, { after })).toMatchObject({
      body: { total: 1, rows: [{ invoiceId, status: 'void' }] },
    });
  });

  /** A token without a secure session, issued in this process with the keys of the program. */
  const issue = async (role: string): Promise<{ token: string }> =>
    JSON.parse(
      await runCommand([tokenCommand], () => readConfig(main.settings), ['--json', 'token', '--role', role]),
    ) as { token: string };

  it('allows a finance token to read and not to write', async () => {
    const finance = await issue('finance');
    expect(await main.act({ action: 'get_revenue' }, finance)).toMatchObject({ status: 200 });
    const generate = { action: 'generate_invoice', billingPeriod: '2026-01' };
    expect(await main.act(generate, finance)).toMatchObject({ status: 403 });
    const weak = await issue('admin');
    expect(await main.act(generate, weak)).toMatchObject({
      status: 401,
      body: { code: 'secure_session_required' },
    });
  });
}
