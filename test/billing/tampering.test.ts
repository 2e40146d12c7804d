import type { Document } from '../../contracts/ports/documents';
import { INVOICE_LINES, INVOICES } from '../../projections/billing/invoices';
import { physicalName } from '../../projections/engine/generation';
import { until } from '../until';
import { openInstance, type TestInstance } from './instance';

let instance: TestInstance;
let invoiceId: string;
let whole: object;
beforeEach(async () => {
  instance = await openInstance({ now: () => '2026-12-01T09:00:00.000Z' });
  await instance.record([{ id: 'a' }, { id: 'b', fee_type: 'swap' }]);
  const { body } = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' });
  invoiceId = body.invoice.invoiceId as string;
  whole = (await instance.act({ action: 'finalize_invoice', invoiceId })).body as object;
});
afterEach(() => instance.close());

const get = () => instance.act({ action: 'get_invoice', invoiceId });
const list = () => instance.act({ action: 'list_invoices' });
const damaged = () => ({ status: 503, body: { code: 'ledger_damaged', invoiceId } });

/** Changes a stored document without the program. */
async function tamper(
  { name }: { name: string },
  change: (document: Document) => Document | null,
): Promise<void> {
  // Both reads were answered before, so their answers may be cached.
  await get();
  await list();
  const collection = physicalName(name, 1);
  const document = change((await instance.documents.get(collection, invoiceId))!);
  await instance.documents.commit({ writes: [{ collection, id: invoiceId, document }] });
}

const rebuild = (switchWhen: 'always' | 'never' = 'always') =>
  instance.engine.rebuild('invoices', { signal: new AbortController().signal, switchWhen });

describe('an invoice whose stored document was changed', () => {
  it.each([
    ['totalFee', '1.00'],
    ['totalGross', '1.00'],
    ['feeCount', 1],
    ['currency', 'EUR'],
    ['number', 'INV-202612-0002'],
    ['status', 'void'],
    ['status', 'draft'],
    ['billingPeriod', '2026-10'],
    ['createdBy', 'somebody'],
    ['finalizedAt', '2027-01-01T00:00:00.000Z'],
    ['history', []],
    ['contentHash', 'ab'.repeat(32)],
    ['documentHash', 'ab'.repeat(32)],
  ] as const)('in its %s is not shown', async (field, value) => {
    await tamper(INVOICES, document => ({ ...document, [field]: value }) as Document);
    expect(await get()).toMatchObject(damaged());
    expect(await list()).toMatchObject(damaged());
  });

  it('in a line, or that lost its lines, is not shown', async () => {
    await tamper(INVOICE_LINES, document => {
      const [first, ...others] = document['lines'] as object[];
      return { ...document, lines: [{ ...first, totalFee: '0.01' }, ...others] } as Document;
    });
    expect(await get()).toMatchObject(damaged());
    await tamper(INVOICE_LINES, () => null);
    expect(await get()).toMatchObject(damaged());
  });

  it('is repaired by a rebuild, which reports the difference', async () => {
    await tamper(INVOICES, document => ({ ...document, totalFee: '1.00' }));
    const found = { different: 1, examples: [`invoices/${invoiceId}`] };
    expect(await rebuild('never')).toMatchObject({ switched: false, comparison: found });
    expect(await get()).toMatchObject(damaged());

    expect(await rebuild()).toMatchObject({ switched: true, comparison: found });
    // Reads follow the pointer a moment after it has moved.
    const mended = await until(get, ({ status }) => status === 200);
    expect(mended.body).toEqual(whole);
    expect(await list()).toMatchObject({ status: 200, body: { total: 1 } });
  });

  it('can still be voided: commands use the events', async () => {
    await tamper(INVOICES, document => ({ ...document, totalFee: '1.00' }));
    expect(await instance.act({ action: 'void_invoice', invoiceId })).toMatchObject({
      status: 200,
      body: { invoice: { status: 'void', totalFee: '3.00' } },
    });
  });

  it.each(['totalFee', 'createdBy'])('in its %s stays damaged after its next event', async field => {
    await tamper(INVOICES, document => ({ ...document, [field]: '1.00' }));
    await instance.act({ action: 'void_invoice', invoiceId });
    expect(await get()).toMatchObject(damaged());
    expect(await list()).toMatchObject(damaged());
  });
});
