import { sum } from '../../contracts/money/money';
import { openInstance, type TestInstance } from './instance';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance({ now: () => '2026-12-01T09:00:00.000Z' });
});
afterEach(() => instance.close());

const generate = (billingPeriod = '2026-11') => instance.act({ action: 'generate_invoice', billingPeriod });
const on = (action: string, invoiceId: string, more: object = {}) =>
  instance.act({ action, invoiceId, ...more });

describe('an invoice', () => {
  it('lists the collected fees of its period by merchant and fee type', async () => {
    await instance.record([
      { id: 'a', fee_amount: '1.10', gross_amount: '10' },
      { id: 'b', fee_amount: '2.20', gross_amount: '20' },
      { id: 'c', fee_type: 'swap' },
      { id: 'd', merchant_id: 'm-0', merchant_name: 'Noon', merchant_slug: 'noon' },
      { id: 'pending', collection_status: 'pending' },
      { id: 'october', created_at: '2026-10-31T23:59:59.999Z' },
      { id: 'december', created_at: '2026-12-01T00:00:00.000Z' },
    ]);
    const { status, body, headers } = await generate();
    expect(status).toBe(200);
    expect(headers['x-ledger-position']).toBe(String(await instance.ledgerHead()));
    expect(body.invoice).toMatchObject({
      billingPeriod: '2026-11',
      number: null,
      status: 'draft',
      currency: 'USD',
      timeZone: 'UTC',
      periodStart: '2026-11-01T00:00:00.000Z',
      periodEnd: '2026-12-01T00:00:00.000Z',
      feeCount: 4,
      totalFee: '6.30',
      totalGross: '230.00',
      createdAt: '2026-12-01T09:00:00.000Z',
      createdBy: 'admin@test',
      replacesInvoiceId: null,
      uninvoicedFeeCount: 0,
      reversedFeeCount: 0,
      version: 1,
      history: [{ event: 'generated', by: 'admin@test', reason: null }],
      lines: [
        { merchantId: 'm-0', merchantName: 'Noon', merchantSlug: 'noon', feeType: 'creation', feeCount: 1 },
        { merchantId: 'm-1', feeType: 'creation', feeCount: 2, totalFee: '3.30', totalGross: '30.00' },
        { merchantId: 'm-1', feeType: 'swap', feeCount: 1, totalFee: '1.50', totalGross: '100.00' },
      ],
    });
    const { body: got } = await on('get_invoice', body.invoice.invoiceId as string);
    expect(got).toEqual(body);
  });

  it('names a merchant as a fee on it does, and not as one that is pending, waived or reversed', async () => {
    const [older, newer] = [{ merchant_name: 'Older' }, { merchant_name: 'Newer', merchant_slug: 'newer' }];
    await instance.record([
      { id: 'a', ...older },
      { id: 'b', collection_status: 'pending', ...newer },
      { id: 'c', collection_status: 'pending', merchant_name: 'Newer' },
      { id: 'd', merchant_name: 'Reversed' },
    ]);
    await instance.record([
      { id: 'c', action: 'waive' },
      { id: 'd', action: 'reverse' },
    ] as never);
    const lines = async () => {
      const { invoice } = (await generate()).body as { invoice: { invoiceId: string; lines: object[] } };
      await on('void_invoice', invoice.invoiceId);
      return invoice.lines;
    };
    expect(await lines()).toMatchObject([{ merchantName: 'Older', merchantSlug: 'espresso', feeCount: 1 }]);
    await instance.record([{ id: 'b', action: 'collect' }] as never);
    expect(await lines()).toMatchObject([{ merchantName: 'Newer', merchantSlug: 'newer', feeCount: 2 }]);
    await instance.record([{ id: 'e', ...older }]);
    expect(await lines()).toMatchObject([{ merchantName: 'Older', merchantSlug: 'espresso', feeCount: 3 }]);
  });

  it('needs collected fees', async () => {
    await instance.record([{ id: 'a', collection_status: 'pending' }]);
    expect(await generate()).toMatchObject({ status: 422, body: { code: 'no_collected_fees' } });
    expect(await generate('2021-01')).toMatchObject({ status: 422 });
    expect(await generate('0000-01')).toMatchObject({ status: 422 });
    expect((await instance.act({ action: 'list_invoices' })).body).toMatchObject({ rows: [], total: 0 });
  });

  it('is the only one of its period, and named in the refusal of a second one', async () => {
    await instance.record([{ id: 'a' }]);
    const first = await generate();
    expect(await generate()).toMatchObject({
      status: 409,
      body: { code: 'invoice_period_exists', invoiceId: first.body.invoice.invoiceId },
    });
  });

  it('does not change after it was drafted, and shows later changes', async () => {
    await instance.record([{ id: 'a' }, { id: 'b' }, { id: 'before' }]);
    await instance.record([{ id: 'before', action: 'reverse' }]);
    const { body } = await generate();
    expect(body.invoice).toMatchObject({ feeCount: 2, uninvoicedFeeCount: 0, reversedFeeCount: 0 });
    await instance.record([
      { id: 'late', fee_amount: '0.25' },
      { id: 'later', fee_amount: '0.5' },
    ]);
    const { body: now } = await on('get_invoice', body.invoice.invoiceId as string);
    expect(now.invoice).toEqual({ ...body.invoice, uninvoicedFeeCount: 2, uninvoicedFee: '0.75' });
  });

  it('counts a fee that was collected and reversed after the draft neither as uninvoiced nor as reversed', async () => {
    await instance.record([{ id: 'a' }, { id: 'pending', collection_status: 'pending' }]);
    const { invoice } = (await generate()).body;
    await instance.record([{ id: 'late' }, { id: 'pending', action: 'collect' }]);
    const since = async () => (await on('get_invoice', invoice.invoiceId as string)).body.invoice;
    expect(await since()).toEqual({ ...invoice, uninvoicedFeeCount: 2, uninvoicedFee: '3.00' });
    const asOf = await instance.store.head();
    await instance.record([
      { id: 'late', action: 'reverse' },
      { id: 'pending', action: 'reverse' },
    ]);
    expect(await since()).toEqual(invoice);
    const { body: then } = await on('get_invoice', invoice.invoiceId as string, { asOf });
    expect(then.invoice).toMatchObject({ uninvoicedFeeCount: 2, reversedFeeCount: 0 });

    await on('void_invoice', invoice.invoiceId as string);
    expect((await generate()).body.invoice).toMatchObject({
      feeCount: 1,
      uninvoicedFeeCount: 0,
      uninvoicedFee: '0.00',
      reversedFeeCount: 0,
      reversedFee: '0.00',
    });
  });

  it('gets a number when it is finalized and keeps it when it is void', async () => {
    await instance.record([{ id: 'a' }]);
    const { body } = await generate();
    const id = body.invoice.invoiceId as string;
    const finalized = await on('finalize_invoice', id);
    expect(finalized).toMatchObject({
      status: 200,
      body: {
        invoice: { status: 'finalized', number: 'INV-202612-0001', finalizedBy: 'admin@test', version: 2 },
      },
    });
    expect(finalized.body.invoice.contentHash).toBe(body.invoice.contentHash);
    expect(await on('finalize_invoice', id)).toMatchObject({
      status: 409,
      body: { code: 'invoice_not_draft' },
    });

    const voided = await on('void_invoice', id, { reason: 'wrong currency' });
    expect(voided.body.invoice).toMatchObject({
      status: 'void',
      number: 'INV-202612-0001',
      voidReason: 'wrong currency',
      voidedBy: 'admin@test',
      uninvoicedFeeCount: null,
      history: [
        { event: 'generated' },
        { event: 'finalized' },
        { event: 'voided', reason: 'wrong currency' },
      ],
    });
    expect(await on('void_invoice', id)).toMatchObject({
      status: 409,
      body: { code: 'invoice_already_void' },
    });
    expect(await on('finalize_invoice', id)).toMatchObject({
      status: 409,
      body: { code: 'invoice_not_draft' },
    });
    expect((await on('get_invoice', id)).body).toEqual(voided.body);
  });

  it('is replaced, after it was voided, by one with the late fees', async () => {
    await instance.record([{ id: 'a' }]);
    const first = (await generate()).body.invoice as { invoiceId: string };
    await on('void_invoice', first.invoiceId);
    await instance.record([{ id: 'b' }]);
    const second = await generate();
    expect(second).toMatchObject({
      status: 200,
      body: { invoice: { replacesInvoiceId: first.invoiceId, feeCount: 2 } },
    });
    expect(second.body.invoice.invoiceId).not.toBe(first.invoiceId);
  });

  it('is drafted only when the sums include all recorded fees', async () => {
    const { views } = instance.deps;
    const reached = views.waitForPosition;
    await instance.record([{ id: 'a' }]);
    const head = await instance.store.head();
    const waits: number[] = [];
    views.waitForPosition = async (_collection, position) => waits.push(position) < 0;
    expect(await generate()).toMatchObject({ status: 503, body: { code: 'not_ready' } });
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(head);
    views.waitForPosition = reached;
    const { invoice } = (await generate()).body;
    expect(invoice.feeCount).toBe(1);
    expect(invoice.ledgerPosition).toBeGreaterThanOrEqual(head);
  });

  it('includes the concurrent fees up to its position', async () => {
    const { views } = instance.deps;
    const reached = views.waitForPosition;
    await instance.record([{ id: 'a' }]);
    let meanwhile = '';
    views.waitForPosition = async (collection, _position, timeout) => {
      const { headers } = await instance.record([{ id: 'meanwhile' }]);
      meanwhile ||= headers['x-ledger-position'] as string;
      return reached(collection, await instance.store.head(), timeout);
    };
    const { invoice } = (await generate()).body;
    expect(invoice).toMatchObject({ feeCount: 2, ledgerPosition: Number(meanwhile) });
  });

  it('matches the events up to its position, while fees are recorded', async () => {
    let stop = false;
    const recording = (async () => {
      for (let batch = 0; !stop; batch++) {
        const rows = Array.from({ length: 40 }, (_, i) => ({
          id: `f-${batch}-${i}`,
          merchant_id: `m-${i % 7}`,
          fee_amount: `${i}.${batch % 10}`,
        }));
        await instance.record(rows);
        await instance.record(rows.slice(0, 5).map(({ id }) => ({ id, action: 'reverse' })));
      }
    })();
    const invoices: { ledgerPosition: number; feeCount: number; totalFee: string; lines: unknown[] }[] = [];
    while (invoices.length < 15) {
      const { status, body } = await generate();
      if (status !== 200) continue;
      invoices.push(body.invoice as (typeof invoices)[number]);
      await on('void_invoice', body.invoice.invoiceId as string);
    }
    stop = true;
    await recording;

    const amounts = new Map<string, string>();
    const expected = [...invoices];
    for await (const page of instance.store.readAll({ categories: ['fee'] }))
      for (const { position, type, data } of page) {
        while (expected[0] && expected[0].ledgerPosition < position) {
          const { feeCount, totalFee } = expected.shift()!;
          expect([feeCount, totalFee]).toEqual([amounts.size, sum(amounts.values())]);
        }
        if (type === 'FeeReversed') {
          // An invoiced fee stays in its month: the adjustment is in December.
          if (data['adjustment'] === null) amounts.delete(data['id'] as string);
        } else amounts.set(data['id'] as string, data['fee_amount'] as string);
      }
    expect(invoices.at(-1)!.feeCount).toBeGreaterThan(invoices[0]!.feeCount);
  });

  it('that does not exist is not found', async () => {
    for (const action of ['get_invoice', 'finalize_invoice', 'void_invoice'])
      expect(await on(action, '00000000-0000-4000-8000-000000000000')).toMatchObject({
        status: 404,
        body: { code: 'invoice_not_found' },
      });
  });
});

describe('invoices', () => {
  it('are listed newest period first, by status and period, without their lines', async () => {
    const periods = ['2026-09', '2026-11', '2026-10'];
    await instance.record(periods.map(period => ({ id: period, created_at: `${period}-05T00:00:00Z` })));
    const ids: Record<string, string> = {};
    for (const period of periods) ids[period] = (await generate(period)).body.invoice.invoiceId as string;
    await on('void_invoice', ids['2026-10']!);
    await generate('2026-10');

    const list = async (more: object) => (await instance.act({ action: 'list_invoices', ...more })).body;
    const all = await list({});
    expect(all).toMatchObject({ total: 4, page: 1, pageSize: 50 });
    expect(all.rows.map((row: { billingPeriod: string }) => row.billingPeriod)).toEqual([
      '2026-11',
      '2026-10',
      '2026-10',
      '2026-09',
    ]);
    expect(all.rows[0]).not.toHaveProperty('lines');
    expect(await list({ status: 'void' })).toMatchObject({ total: 1, rows: [{ invoiceId: ids['2026-10'] }] });
    expect(await list({ billingPeriod: '2026-10' })).toMatchObject({ total: 2 });
    expect(await list({ billingPeriod: '2026-10', status: 'draft' })).toMatchObject({ total: 1 });
    expect(await list({ page: 2, pageSize: 3 })).toMatchObject({
      total: 4,
      rows: [{ billingPeriod: '2026-09' }],
    });
    expect(await list({ page: 9, pageSize: 3 })).toMatchObject({ total: 4, rows: [] });
  });

  it('are numbered by the year in which they are finalized', async () => {
    let now = '2026-12-31T23:59:59.000Z';
    const other = await openInstance({ now: () => now });
    try {
      await other.record(
        ['2026-10', '2026-11', '2026-12'].map(m => ({ id: m, created_at: `${m}-05T00:00:00Z` })),
      );
      const numbers: string[] = [];
      for (const billingPeriod of ['2026-10', '2026-11', '2026-12']) {
        const { body } = await other.act({ action: 'generate_invoice', billingPeriod });
        const { body: after } = await other.act({
          action: 'finalize_invoice',
          invoiceId: body.invoice.invoiceId,
        });
        numbers.push(after.invoice.number as string);
        if (numbers.length === 2) now = '2027-01-01T00:00:00.000Z';
      }
      expect(numbers).toEqual(['INV-202612-0001', 'INV-202612-0002', 'INV-202701-0001']);
    } finally {
      await other.close();
    }
  });
});

describe('fifty concurrent calls', () => {
  const fifty = <T>(attempt: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 50 }, (_, i) => attempt(i)));
  const count = (answers: readonly { status: number }[], status: number) =>
    answers.filter(answer => answer.status === status).length;

  it('create one invoice, number it once and void it once', async () => {
    await instance.record([{ id: 'a' }]);
    const generated = await fifty(() => generate());
    expect([count(generated, 200), count(generated, 409)]).toEqual([1, 49]);
    const { invoiceId } = generated.find(({ status }) => status === 200)!.body.invoice as {
      invoiceId: string;
    };
    for (const { status, body } of generated) if (status === 409) expect(body).toMatchObject({ invoiceId });

    const finalized = await fifty(() => on('finalize_invoice', invoiceId));
    expect([count(finalized, 200), count(finalized, 409)]).toEqual([1, 49]);
    const voided = await fifty(() => on('void_invoice', invoiceId));
    expect([count(voided, 200), count(voided, 409)]).toEqual([1, 49]);
    expect((await generate()).body.invoice).toMatchObject({ replacesInvoiceId: invoiceId });
    expect((await instance.act({ action: 'list_invoices' })).body).toMatchObject({ total: 2 });
  });
});
