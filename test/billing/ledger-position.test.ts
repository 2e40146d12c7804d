import request from 'supertest';
import { openInstance, type TestInstance } from './instance';

let instance: TestInstance;
let token: string;
beforeAll(async () => {
  instance = await openInstance({ settings: { AS_OF_WAIT_MS: '600000' } });
  token = await instance.token({ role: 'admin', secure: true });
});
afterAll(() => instance.close());

/** Without a minimum position. */
const ask = (body: object) =>
  request(instance.app).post('/api/instance-admin').set('Authorization', `Bearer ${token}`).send(body);

const READS = [
  { action: 'get_revenue' },
  { action: 'list_fee_ledger' },
  { action: 'export_revenue_csv' },
  { action: 'list_invoices' },
  { action: 'list_settlements' },
  { action: 'list_rebates' },
  { action: 'list_merchants' },
  { action: 'get_rebate_rule' },
  { action: 'get_fee_history', feeId: 'f-0' },
  { action: 'list_audit_trail', dateFrom: '2026-11-01', dateTo: '2026-11-30' },
  { action: 'preview_invoice', billingPeriod: '2026-11' },
  { action: 'preview_settlement', billingPeriod: '2026-11' },
];

describe('X-Ledger-Position', () => {
  it.each(READS)('of $action is one that a later read can wait for', async body => {
    await instance.record([{ id: 'f-0' }]);
    const { headers, status } = await instance.act(body);
    expect(status).toBe(200);
    const position = Number(headers['x-ledger-position']);
    expect(position).toBeGreaterThanOrEqual(0);
    expect(position).toBeLessThanOrEqual(await instance.store.head());
    expect((await ask(body).set('X-Min-Position', String(position))).status).toBe(200);
  });

  it.each(READS)('that $action is to wait for must be one', async body => {
    expect((await ask(body).set('X-Min-Position', 'soon')).status).toBe(400);
  });

  it('is not before the position that was asked for', async () => {
    for (let n = 0; n < 10; n++) {
      const { headers: written } = await instance.record([{ id: `min-${n}` }]);
      const minimum = written['x-ledger-position'] as string;
      for (const action of ['get_revenue', 'list_fee_ledger', 'export_revenue_csv', 'list_invoices']) {
        const { headers } = await ask({ action }).set('X-Min-Position', minimum);
        expect(Number(headers['x-ledger-position'])).toBeGreaterThanOrEqual(Number(minimum));
      }
    }
  });

  it('is one that the answer includes, while fees are recorded', async () => {
    let stop = false;
    const load = (async () => {
      for (let n = 0; !stop; n++) await instance.record([{ id: `load-${n}` }]);
    })();
    try {
      for (let round = 0; round < 10; round++) {
        const { body, headers } = await ask({ action: 'list_fee_ledger', pageSize: 1 });
        const asOf = Number(headers['x-ledger-position']);
        const { body: then } = await ask({ action: 'list_fee_ledger', pageSize: 1, asOf });
        expect(body.total).toBeGreaterThanOrEqual(then.total as number);
      }
    } finally {
      stop = true;
      await load;
    }
  });
});
