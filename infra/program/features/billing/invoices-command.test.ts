import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateInvoice } from '../../../../services/billing/invoice/generate';
import { GENERATED_ID as ID, withBilling } from '../../../../test/billing/command-deps';
import { fee } from '../../../../test/billing/instance';
import { commandLine } from '../../../../test/command-line';
import { feesCommand } from './fees-command';
import { invoicesCommand } from './invoices-command';

const { DATA_DIR, config, run } = commandLine(feesCommand, invoicesCommand);

beforeAll(async () => {
  const file = join(DATA_DIR, 'fees.ndjson');
  writeFileSync(file, `${JSON.stringify(fee({ id: 'f-1' }))}\n`);
  await run('fees', 'import', file);
  await withBilling(config(), deps =>
    generateInvoice(deps, '2026-11', { now: '2026-12-10T09:00:00.000Z', actor: 'ann' }),
  );
});

test('invoices are listed, and each is shown with its lines and history', async () => {
  expect(await run('invoices', 'list')).toMatch(
    /^INVOICE +PERIOD .*\n0+-\S+ +2026-11 +draft .*\n1 invoice\n$/,
  );
  const text = await run('invoices', 'show', ID);
  const parts = [
    /^INVOICE +PERIOD .*\n0+-\S+ +2026-11 +draft +1 +1\.50 USD /,
    /\nMERCHANT +SLUG +TYPE +FEES +FEE +GROSS\nm-1 +espresso +creation +1 +1\.50 +100\.00\n/,
    /\nAT +EVENT +BY +REASON\n\S+ +generated +ann\n$/,
  ];
  for (const part of parts) expect(text).toMatch(part);
  expect(JSON.parse(await run('--json', 'invoices', 'show', ID))).toMatchObject({
    invoice: { invoiceId: ID, lines: [{ merchantId: 'm-1' }] },
  });
});

test.each([
  ['00000000-0000-4000-8000-000000000009', 'invoice_not_found'],
  ['nosuch', /^id: /],
])('an invoice %s that does not exist is not shown', async (id, why) => {
  await expect(run('invoices', 'show', id)).rejects.toThrow(why);
});
