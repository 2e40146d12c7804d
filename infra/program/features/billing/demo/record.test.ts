import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fee, openInstance, type TestInstance } from '../../../../../test/billing/instance';
import { assertNoOwnFees, recordDemonstration } from './record';

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

const NOW = new Date('2026-11-26T11:00:00.000Z');
const record = async () =>
  recordDemonstration(url, await instance.token({ role: 'admin', secure: true }), NOW);

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

it('is refused on a ledger that has fees of its own, also beside a demonstration', async () => {
  await instance.record([fee({ id: 'own-1' })]);
  await expect(record()).rejects.toThrow('the ledger already has 1 fee:');
  const { body } = await instance.act({ action: 'list_fee_ledger' });
  expect(body.total).toBe(1);
});

it('is known to be refused before a program runs, and how to go on', async () => {
  await assertNoOwnFees(instance.store);
  await record();
  await assertNoOwnFees(instance.store);
  await instance.record([fee({ id: 'own-1' })]);
  await expect(assertNoOwnFees(instance.store)).rejects.toThrow(
    'the ledger already has fees of its own: a demonstration is recorded before any other fees. One that was recorded earlier is still there: start without --demo. For a new one use another DATA_DIR, or delete all data of this one with `tidemark reset --yes`',
  );
});
