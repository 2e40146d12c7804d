import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fee, openInstance, type TestInstance } from '../../../../../test/billing/instance';
import { demoFees } from './fees';
import { assertMayDemonstrate, recordDemonstration } from './record';

let instance: TestInstance;
let server: Server;
let url: string;
beforeEach(async () => {
  instance = await openInstance();
  server = createServer(instance.app);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise(closed => server.close(closed));
  await instance.close();
});

const RESET = 'DATA_DIR=/tmp/x npm run -s tidemark -- reset --yes';
const NOW = new Date('2026-11-26T11:00:00.000Z');
const record = async () =>
  recordDemonstration(
    { url, token: await instance.token({ role: 'admin', secure: true }), reset: RESET },
    NOW,
  );

it('records two months, an invoice and settlements, once, and all of it says what it is', async () => {
  expect(await record()).toMatchObject({
    fees: 24,
    months: ['2026-09', '2026-10'],
    invoice: expect.stringMatching(/./),
    settlements: 3,
  });
  const { body } = await instance.act({ action: 'list_fee_ledger', pageSize: 100 });
  expect(body.total).toBe(24);
  for (const row of body.rows) expect(JSON.stringify(row)).toContain('Demonstration: ');
  const { body: settlements } = await instance.act({ action: 'list_settlements' });
  expect(settlements.rows.filter(({ status }: { status: string }) => status === 'paid')).toHaveLength(1);
  expect(await record()).toBeNull();
});

const EXPLAINED = `and a demonstration is recorded before any others: go on without it, or use another DATA_DIR for it (\`${RESET}\` deletes all data of this one while the program is stopped)`;

it('is refused on a ledger that has fees of its own', async () => {
  await instance.record([fee({ id: 'own-1' })]);
  await expect(record()).rejects.toThrow(`the ledger has 1 fee of its own, ${EXPLAINED}`);
  const { body } = await instance.act({ action: 'list_fee_ledger' });
  expect(body.total).toBe(1);
});

it('is known to be refused before a program runs', async () => {
  await assertMayDemonstrate(instance.store, RESET);
  await instance.record([fee({ id: 'own-1' })]);
  await expect(assertMayDemonstrate(instance.store, RESET)).rejects.toThrow(
    `the ledger has fees of its own, ${EXPLAINED}`,
  );
});

it('that was recorded earlier is there, whatever else has been recorded since', async () => {
  await record();
  await instance.record([fee({ id: 'own-1' })]);
  await assertMayDemonstrate(instance.store, RESET);
  expect(await record()).toBeNull();
  const { body } = await instance.act({ action: 'list_fee_ledger' });
  expect(body.total).toBe(25);
});

it('has merchants of different sizes, and hardly two fees that are alike', async () => {
  await record();
  const { body } = await instance.act({ action: 'get_revenue', billingPeriod: '2026-09' });
  const collected = body.byMerchant.map((row: { collected: string }) => Number(row.collected));
  expect(new Set(collected).size).toBe(3);
  expect(Math.max(...collected)).toBeGreaterThan(4 * Math.min(...collected));
  const fees = ['2026-09', '2026-10'].flatMap(demoFees);
  expect(fees).toEqual(['2026-09', '2026-10'].flatMap(demoFees));
  for (const field of ['fee_amount', 'gross_amount', 'created_at'] as const)
    expect(new Set(fees.map(each => each[field])).size).toBeGreaterThan(20);
});
