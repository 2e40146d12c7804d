import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCalendar } from '../../../../contracts/time/calendar';
import { BILLING_PROJECTIONS } from '../../../../projections/billing/billing-projections';
import { generateInvoice } from '../../../../services/billing/invoice/generate';
import { createHandle } from '../../../../services/handle';
import { fee } from '../../../../test/billing/instance';
import { commandLine } from '../../../../test/command-line';
import { openPersonalTexts } from '../erasure/personal-texts';
import { feesCommand } from './fees-command';
import { invoicesCommand } from './invoices-command';
import { withProjections } from '../../commands/with-engines';

const { DATA_DIR, config, run } = commandLine(feesCommand, invoicesCommand);
const ID = '00000000-0000-4000-8000-000000000001';

beforeAll(async () => {
  const file = join(DATA_DIR, 'fees.ndjson');
  writeFileSync(file, `${JSON.stringify(fee({ id: 'f-1' }))}\n`);
  await run('fees', 'import', file);
  const settings = config();
  await withProjections(settings, BILLING_PROJECTIONS, async ({ engines, engine }) => {
    const running = new AbortController();
    const projecting = engine.run(running.signal);
    const { store } = engines;
    const deps = {
      store,
      handle: createHandle({ store }),
      views: engine.views,
      texts: await openPersonalTexts(settings, engines),
      calendar: createCalendar('UTC'),
      instanceId: settings.INSTANCE_ID,
      currency: 'USD',
      newId: () => ID,
      waitMs: 60_000,
    };
    await generateInvoice(deps, '2026-11', { now: '2026-12-10T09:00:00.000Z', actor: 'ann' });
    running.abort();
    await projecting;
  });
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
