import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fee, openInstance } from '../../../../test/billing/instance';
import { commandLine } from '../../../../test/command-line';
import { feesCommand } from './fees-command';
import { invoicesCommand } from './invoices-command';

let invoiceId: string;
const { DATA_DIR, run } = commandLine(feesCommand, invoicesCommand);

beforeAll(async () => {
  const file = join(DATA_DIR, 'fees.ndjson');
  writeFileSync(file, `${JSON.stringify(fee({ id: 'f-1' }))}\n`);
  await run('fees', 'import', file);
  const instance = await openInstance({ folder: DATA_DIR });
  const { body } = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' });
  invoiceId = body.invoice.invoiceId as string;
  await instance.close();
});

test('invoices are listed, and each is shown with its lines and history', async () => {
  expect(await run('invoices', 'list')).toMatch(
    new RegExp(`^INVOICE +PERIOD .*\n${invoiceId} +2026-11 +draft .*\n1 invoice\n$`),
  );
  const text = await run('invoices', 'show', invoiceId);
  const parts = [
    new RegExp(`^INVOICE +PERIOD .*\n${invoiceId} +2026-11 +draft +1 +1\\.50 USD `),
    /\nMERCHANT +SLUG +TYPE +FEES +FEE +GROSS\nm-1 +espresso +creation +1 +1\.50 +100\.00\n/,
    /\nAT +EVENT +BY +REASON\n\S+ +generated +admin@test\n$/,
  ];
  for (const part of parts) expect(text).toMatch(part);
  expect(JSON.parse(await run('--json', 'invoices', 'show', invoiceId))).toMatchObject({
    invoice: { invoiceId, lines: [{ merchantId: 'm-1' }] },
  });
});

test('what was collected since an invoice was made, and is on none, is shown with it', async () => {
  const file = join(DATA_DIR, 'later.ndjson');
  writeFileSync(file, `${JSON.stringify(fee({ id: 'f-2' }))}\n`);
  await run('fees', 'import', file);
  const text = await run('invoices', 'show', invoiceId);
  expect(text).toMatch(/\ncollected since, and on no invoice: 1 fee, 1\.50 USD\n\nMERCHANT/);
});

test('an invoice is shown by its number as well as by its id', async () => {
  const instance = await openInstance({ folder: DATA_DIR });
  const { body } = await instance.act({ action: 'finalize_invoice', invoiceId });
  await instance.close();
  const { number } = body.invoice as { number: string };
  const byId = await run('invoices', 'show', invoiceId);
  expect(byId).toContain(number);
  expect(await run('invoices', 'show', number)).toBe(byId);
  await expect(run('invoices', 'show', number.replace(/.$/, '2'))).rejects.toThrow('invoice_not_found');
});

test.each([
  ['00000000-0000-4000-8000-000000000009', 'invoice_not_found'],
  ['INV-202011-0001', 'invoice_not_found'],
  ['INV-202011-0000', /^INV-202011-0000: neither/],
  ['nosuch', /^nosuch: neither the id of an invoice nor a number such as INV-202610-0001$/],
])('an invoice %s that does not exist is not shown', async (id, why) => {
  await expect(run('invoices', 'show', id)).rejects.toThrow(why);
});
