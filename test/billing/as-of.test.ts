import request from 'supertest';
import type { Invoice } from '../../contracts/http/billing/responses';
import { openInstance, type TestInstance } from './instance';
import { recordedAt } from './recorded-at';

const NOON = Date.parse('2020-11-20T12:00:00.000Z');
/** Events are recorded a minute apart. */
const at = (minutes: number): string => new Date(NOON + minutes * 60_000).toISOString();

let instance: TestInstance;
/** The positions that the commands returned. */
const positions: number[] = [];
let invoiceId: string;

const ask = (body: object) => instance.act(body);
const position = (headers: Record<string, string>): number => Number(headers['x-ledger-position']);

beforeAll(async () => {
  instance = await openInstance({ wrapStore: recordedAt(at) });
  for (const id of ['a', 'b', 'c']) positions.push(position((await instance.record([{ id }])).headers));
  const made = await ask({ action: 'generate_invoice', billingPeriod: '2026-11' });
  invoiceId = (made.body as { invoice: Invoice }).invoice.invoiceId;
  positions.push(position(made.headers));
  positions.push(position((await instance.record([{ id: 'd' }])).headers));
  positions.push(position((await ask({ action: 'void_invoice', invoiceId })).headers));
});
afterAll(() => instance.close());

const ids = (body: { rows: { id: string }[] }): string[] => body.rows.map(({ id }) => id).sort();

describe('the ledger as of a position', () => {
  it('has everything recorded up to it, and its position', async () => {
    for (const [n, expected] of [['a'], ['a', 'b'], ['a', 'b', 'c']].entries()) {
      const asOf = positions[n]!;
      const ledger = await ask({ action: 'list_fee_ledger', asOf });
      expect(ids(ledger.body)).toEqual(expected);
      expect(ledger.headers['x-ledger-position']).toBe(String(asOf));
      const revenue = await ask({ action: 'get_revenue', asOf });
      expect(revenue.body.summary[0]).toMatchObject({ count: n + 1, total_fee: ['1.50', '3.00', '4.50'][n] });
      const { body } = await ask({ action: 'export_revenue_csv', asOf });
      expect([body.rowCount, body.csv.split('\r\n').length - 2]).toEqual([n + 1, n + 1]);
    }
  });

  it('shows an invoice in its state of that position, and none before it existed', async () => {
    const invoice = async (asOf: number) => await ask({ action: 'get_invoice', invoiceId, asOf });
    expect(await invoice(positions[2]!)).toMatchObject({ status: 404, body: { code: 'invoice_not_found' } });
    expect((await invoice(positions[3]!)).body.invoice).toMatchObject({
      status: 'draft',
      uninvoicedFeeCount: 0,
    });
    expect((await invoice(positions[4]!)).body.invoice).toMatchObject({
      status: 'draft',
      uninvoicedFeeCount: 1,
    });
    expect((await invoice(positions[5]!)).body.invoice).toMatchObject({ status: 'void' });
  });

  it('is empty before the first event', async () => {
    expect(await ask({ action: 'get_revenue', asOf: -1 })).toMatchObject({
      status: 200,
      body: { summary: [], byMerchant: [] },
      headers: { 'x-ledger-position': '-1' },
    });
  });

  it('answers filters, days and pages like the current ledger', async () => {
    const asked = {
      action: 'list_fee_ledger',
      status: 'collected',
      dateFrom: '2026-11-20',
      pageSize: 1,
      page: 2,
    };
    expect((await ask({ ...asked, asOf: positions[1] })).body).toMatchObject({
      total: 2,
      page: 2,
      rows: [{}],
    });
    const none = await ask({ action: 'get_revenue', billingPeriod: '2026-10', asOf: positions[1] });
    expect(none.body).toEqual({ summary: [], byMerchant: [] });
  });
});

describe('the ledger as of an instant', () => {
  it('is that of the last event recorded at or before it', async () => {
    for (const [asOf, expected] of [
      [at(positions[1]!), ['a', 'b']],
      [new Date(Date.parse(at(positions[1]!)) - 1).toISOString(), ['a']],
      [at(positions[1]! + 0.5).replace('Z', '+00:00'), ['a', 'b']],
    ] as const) {
      const ledger = await ask({ action: 'list_fee_ledger', asOf });
      expect([ledger.status, ids(ledger.body)]).toEqual([200, [...expected]]);
      expect(ledger.headers['x-ledger-position']).toBe(String(positions[expected.length - 1]));
    }
  });

  it('is empty before the first event', async () => {
    const asOf = '2000-01-01T00:00:00Z';
    expect((await ask({ action: 'get_revenue', asOf })).body).toEqual({ summary: [], byMerchant: [] });
    expect((await ask({ action: 'list_fee_ledger', asOf })).body).toMatchObject({ rows: [], total: 0 });
    expect((await ask({ action: 'export_revenue_csv', asOf })).body).toMatchObject({
      rowCount: 0,
      truncated: false,
    });
    expect(await ask({ action: 'get_invoice', invoiceId, asOf })).toMatchObject({ status: 404 });
  });
});

describe('an `asOf` that cannot be answered', () => {
  it.each([
    ['a position of tomorrow', async () => (await instance.store.head()) + 1],
    ['an instant of tomorrow', async () => new Date(Date.now() + 86_400_000).toISOString()],
    ['a position as text', async () => '12'],
    ['half a position', async () => 1.5],
    ['a position before the beginning', async () => -2],
    ['a day', async () => '2026-11-20'],
    ['a day that does not exist', async () => '2026-02-30T00:00:00Z'],
    ['nothing', async () => null],
    ['an operator', async () => ({ $gt: '' })],
  ])('%s is a 400 that names the field', async (_, asOf) => {
    for (const action of ['get_revenue', 'list_fee_ledger', 'export_revenue_csv'])
      expect(await ask({ action, asOf: await asOf() })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ pointer: '/body/asOf' }] },
      });
  });

  it('is accepted by reports only', async () => {
    const answer = await ask({ action: 'generate_invoice', billingPeriod: '2026-11', asOf: 1 });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/body/asOf' }] } });
  });

  it('needs the role of the action', async () => {
    const viewer = await instance.token({ role: 'viewer' });
    const answer = await request(instance.app)
      .post('/api/instance-admin')
      .set('Authorization', `Bearer ${viewer}`)
      .send({ action: 'get_revenue', asOf: 1 });
    expect(answer.status).toBe(403);
  });
});
