import fc from 'fast-check';
import type { Invoice } from '../../contracts/http/billing/responses';
import { contentHash } from '../../services/billing/invoice/content-hash';
import { PERIODS, step } from './arbitraries';
import { openInstance, type TestInstance } from './instance';
import { runs } from '../random';

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Without what differs between ledgers: ids, positions and hashes. */
const contentOf = ({
  invoiceId: _,
  replacesInvoiceId: __,
  ledgerPosition: ___,
  contentHash: ____,
  ...rest
}: Invoice) => rest;

async function invoicesOf(instance: TestInstance): Promise<Invoice[]> {
  const invoices: Invoice[] = [];
  for (const billingPeriod of PERIODS) {
    const list = await instance.act({ action: 'list_invoices', billingPeriod, pageSize: 200 });
    for (const { invoiceId } of list.body.rows as Invoice[]) {
      const { status, body } = await instance.act({ action: 'get_invoice', invoiceId });
      expect(status).toBe(200);
      const { invoice } = body as { invoice: Invoice };
      expect(contentHash(invoice)).toBe(invoice.contentHash);
      invoices.push(invoice);
    }
  }
  return invoices;
}

/** Runs the steps on a new ledger. @returns the statuses of the answers, and the final invoices */
async function run(steps: readonly Step[], partBytes: number | undefined) {
  // Of each step: the program looks at it now and then by itself.
  let clock = Date.parse('2026-12-01T09:00:00.000Z');
  const instance = await openInstance({
    now: () => new Date(clock).toISOString(),
    settings: partBytes === undefined ? {} : { INVOICE_PART_BYTES: String(partBytes) },
  });
  const statuses: number[] = [];
  try {
    for (const one of steps) {
      clock += 1_000;
      if ('fees' in one) await instance.record(one.fees);
      else if ('generate' in one)
        statuses.push(
          (await instance.act({ action: 'generate_invoice', billingPeriod: one.generate })).status,
        );
      else {
        const { body } = await instance.act({ action: 'list_invoices', billingPeriod: one.voided });
        const live = (body.rows as Invoice[]).find(({ status }) => status !== 'void');
        if (live)
          statuses.push((await instance.act({ action: 'void_invoice', invoiceId: live.invoiceId })).status);
      }
    }
    return { statuses, invoices: (await invoicesOf(instance)).map(contentOf) };
  } finally {
    await instance.close();
  }
}

it('an invoice in parts has the content of one in a single event', async () => {
  const history = fc.array(step, { minLength: 3, maxLength: 12 });
  const property = fc.asyncProperty(history, fc.constantFrom(1, 200, 400, 700), async (steps, partBytes) => {
    const [whole, splitIntoParts] = await Promise.all([run(steps, undefined), run(steps, partBytes)]);
    expect(splitIntoParts).toEqual(whole);
  });
  await fc.assert(property, { ...runs(3), endOnFailure: true });
});
