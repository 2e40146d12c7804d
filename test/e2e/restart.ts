import { randomBytes } from 'node:crypto';
import { send } from './client';
import { fee, type Installation } from './installation';

/** Stops the program while it handles requests, and starts it again: it finishes them, exits with 0, and loses nothing. */
export async function restartWithPendingRequests(main: Installation): Promise<void> {
  const session = randomBytes(32).toString('base64url');
  const app = { key: session, testnet: false, name: 'An app', url: 'https://app.example' };
  await send(main.program.url, 'POST', '/connect/init', { body: JSON.stringify(app) });
  const opened = (await send(main.program.url, 'GET', `/connect/${session}`)).body as { updated: number };
  expect(opened).toMatchObject({ state: 'initing' });
  await main.record([fee('before-the-stop', { created_at: '2026-02-01T00:00:00Z' })]);
  const generated = await main.act({ action: 'generate_invoice', billingPeriod: '2026-02' });
  const invoices = await main.act(
    { action: 'list_invoices' },
    { after: generated.headers.get('x-ledger-position') },
  );
  const { invoiceId } = (generated.body as { invoice: { invoiceId: string } }).invoice;
  expect((invoices.body as { rows: object[] }).rows).toContainEqual(expect.objectContaining({ invoiceId }));

  const pending = Promise.all([
    // Waits for a change that never comes.
    send(main.program.url, 'GET', `/connect/${session}/wait?lastUpdated=${opened.updated}`),
    main.record([fee('in-hand', { created_at: '2026-03-01T00:00:00Z' })]),
  ]);
  await send(main.program.url, 'GET', '/health/live');
  // A drain that takes too long exits with 1.
  const [[waited, after], ended] = await Promise.all([pending, main.stop()]);
  expect(ended).toEqual({ code: 0, signal: null });
  expect(waited).toMatchObject({ status: 200, body: opened });
  expect(main.program.output()).toContain('"msg":"stopped"');

  await main.start();
  const march = await main.act({ action: 'list_fee_ledger', billingPeriod: '2026-03' }, { after });
  expect(march.body).toMatchObject({ total: 1, rows: [{ id: 'in-hand' }] });
  expect((await main.act({ action: 'list_invoices' })).body).toEqual(invoices.body);
}
