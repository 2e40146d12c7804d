import request from 'supertest';
import { formatAuditCursor } from '../../contracts/http/billing/history';
import { openInstance, type TestInstance } from './instance';

let instance: TestInstance;
let token: string;
beforeAll(async () => {
  instance = await openInstance({ settings: { VOID_REASON_REQUIRED: 'true' } });
  token = await instance.token({ role: 'admin', secure: true });
});
afterAll(() => instance.close());

const send = (body: string | object, headers: Record<string, string> = {}) =>
  request(instance.app)
    .post('/api/instance-admin')
    .set('Authorization', `Bearer ${token}`)
    .set('Content-Type', 'application/json')
    .set(headers)
    .send(body);

const UUID = '00000000-0000-4000-8000-000000000000';
const TIER = { from: '0', rate: '0.05' };

describe('a malformed request is a 400 that names the field', () => {
  it.each<[pointer: string, body: object]>([
    ['/body/page', { action: 'list_fee_ledger', page: 0 }],
    ['/body/page', { action: 'list_fee_ledger', page: 1.5 }],
    ['/body/page', { action: 'list_fee_ledger', page: '1;drop' }],
    ['/body/page', { action: 'list_fee_ledger', page: 1e300 }],
    ['/body/pageSize', { action: 'list_fee_ledger', pageSize: 201 }],
    ['/body/pageSize', { action: 'list_fee_ledger', pageSize: 0 }],
    ['/body/status', { action: 'list_fee_ledger', status: 'paid' }],
    ['/body/status', { action: 'list_fee_ledger', status: { $regex: '.*' } }],
    ['/body/status', { action: 'list_invoices', status: 'collected' }],
    ['/body/dateFrom', { action: 'get_revenue', dateFrom: '2026-02-30' }],
    ['/body/dateTo', { action: 'export_revenue_csv', dateTo: '20261101' }],
    ['/body/dateFrom', { action: 'export_revenue_csv', dateFrom: '2026-11-02', dateTo: '2026-11-01' }],
    ['/body/billingPeriod', { action: 'generate_invoice' }],
    ['/body/billingPeriod', { action: 'generate_invoice', billingPeriod: '2026-13' }],
    ['/body/billingPeriod', { action: 'generate_invoice', billingPeriod: '2026-11-01' }],
    ['/body/invoiceId', { action: 'get_invoice', invoiceId: { $ne: null } }],
    ['/body/invoiceId', { action: 'get_invoice', invoiceId: 'invoice-1' }],
    ['/body/reason', { action: 'void_invoice', invoiceId: UUID, reason: 'x'.repeat(501) }],
    ['/body/reason', { action: 'void_invoice', invoiceId: UUID, reason: 'a\u0007b' }],
    ['/body/reason', { action: 'void_invoice', invoiceId: UUID }],
    ...['\u200b\u200d', '\u0000', 'a\u2028b', 'a\u202eb', '\u2066a', '\u3164'].flatMap(
      (unseen): [string, object][] => [
        ['/body/reason', { action: 'void_invoice', invoiceId: UUID, reason: unseen }],
        ['/body/reason', { action: 'void_settlement', settlementId: UUID, reason: unseen }],
        ['/body/reference', { action: 'mark_settlement_paid', settlementId: UUID, reference: unseen }],
        ['/body/name', { action: 'set_merchant', merchantId: 'm-1', name: unseen }],
      ],
    ),
    ['/body/cursor', { action: 'export_revenue_csv', cursor: 'next' }],
    ...[
      [-1, '2026-01-20T11:00:00.000Z', 'fee-1', 'f0', 'a1'],
      [1.5, '2026-01-20T11:00:00.000Z', 'fee-1', 'f0', 'a1'],
      [2 ** 53, '2026-01-20T11:00:00.000Z', 'fee-1', 'f0', 'a1'],
      [null, '2026-01-20T11:00:00.000Z', 'fee-1', 'f0', 'a1'],
      [7, '2026-02-30T11:00:00.000Z', 'fee-1', 'f0', 'a1'],
      [7, '2026-01-20T11:00:00Z', 'fee-1', 'f0', 'a1'],
      [7, '2026-01-20T11:00:00.000Z', 'fee-1', 'f0'],
      [7, '2026-01-20T11:00:00.000Z', 'fee-1', 'f0', 'a1', 0],
    ].map((parts): [string, object] => [
      '/body/cursor',
      { action: 'export_revenue_csv', cursor: Buffer.from(JSON.stringify(parts)).toString('base64url') },
    ]),
    ...[
      '[-0,"2026-01-20T11:00:00.000Z","fee-1","f0","a1"]',
      '[7, "2026-01-20T11:00:00.000Z","fee-1","f0","a1"]',
    ].map((text): [string, object] => [
      '/body/cursor',
      { action: 'export_revenue_csv', cursor: Buffer.from(text).toString('base64url') },
    ]),
    ['/body/merchantSlug', { action: 'export_revenue_csv', merchantSlug: { $ne: null } }],
    ['/body/feeId', { action: 'get_fee_history', feeId: 'a b' }],
    ['/body/settlementId', { action: 'get_settlement', settlementId: 'x' }],
    ['/body/dateTo', { action: 'list_audit_trail', dateFrom: '2026-01-01' }],
    ['/body/dateTo', { action: 'list_audit_trail', dateFrom: '2026-01-01', dateTo: '2999-12-31' }],
    ['/body/dateFrom', { action: 'list_audit_trail', dateFrom: '2026-01-02', dateTo: '2026-01-01' }],
    ['/body/dateFrom', { action: 'list_audit_trail', dateFrom: '0000-00-00', dateTo: '2026-01-01' }],
    [
      '/body/cursor',
      { action: 'list_audit_trail', dateFrom: '2026-01-01', dateTo: '2026-01-01', cursor: 'x' },
    ],
    ...['2025-12-31', '2026-01-02'].map((day): [string, object] => {
      const cursor = formatAuditCursor({ day, revision: 0, line: 0 });
      return [
        '/body/cursor',
        { action: 'list_audit_trail', dateFrom: '2026-01-01', dateTo: '2026-01-01', cursor },
      ];
    }),
    ['/body/reason', { action: 'void_settlement', settlementId: UUID }],
    ['/body/tiers', { action: 'set_rebate_rule', tiers: [] }],
    ['/body/tiers/1/from', { action: 'set_rebate_rule', tiers: [TIER, TIER] }],
    ['/body/tiers/1/from', { action: 'set_rebate_rule', tiers: [TIER, { ...TIER, from: 'much' }] }],
    ['/body/tiers/0/rate', { action: 'set_rebate_rule', tiers: [{ from: '0', rate: '1.01' }] }],
    ['/body/tiers/0/rate', { action: 'set_rebate_rule', tiers: [{ from: '0', rate: 0.05 }] }],
    ['/body/name', { action: 'set_merchant', merchantId: 'm-1' }],
    ['/body/slug', { action: 'set_merchant', merchantId: 'm-1', name: 'Ann', slug: 'a/b' }],
    ['/body/after', { action: 'list_merchants', after: { $ne: null } }],
    ['/body/format', { action: 'export_invoice', invoiceId: UUID }],
    ['/body/format', { action: 'export_settlement', settlementId: UUID, format: 'docx' }],
    ['/body/billingPeriod', { action: 'preview_invoice' }],
    ['/body/asOf', { action: 'preview_invoice', billingPeriod: '2026-11', asOf: 1 }],
    ['/body/merchantId', { action: 'preview_settlement', billingPeriod: '2026-11', merchantId: '' }],
    ['/body/billingPeriod', { action: 'generate_settlement' }],
    ['/body/billingPeriod', { action: 'generate_settlement', billingPeriod: '2026-00' }],
    ['/body/merchantId', { action: 'generate_settlement', billingPeriod: '2026-11', merchantId: '' }],
    ['/body/merchantId', { action: 'list_rebates', merchantId: { $ne: null } }],
    ['/body/status', { action: 'list_settlements', status: 'draft' }],
    ['/body/status', { action: 'list_rebates', status: 'pending' }],
    ['/body/settlementId', { action: 'mark_settlement_paid', settlementId: 'settlement-1' }],
    ['/body/paidAt', { action: 'mark_settlement_paid', settlementId: UUID, paidAt: '2026-11-20' }],
    ['/body/paidAt', { action: 'mark_settlement_paid', settlementId: UUID, paidAt: '2999-01-01T00:00:00Z' }],
    ['/body/reference', { action: 'mark_settlement_paid', settlementId: UUID, reference: 'x'.repeat(129) }],
    ['/body/role', { action: 'get_revenue', role: 'owner' }],
    ['/body/pagesize', { action: 'list_fee_ledger', pagesize: 10 }],
  ])('%s of %j', async (pointer, body) => {
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer }] });
  });

  it.each([
    { action: null },
    { action: 7 },
    { action: 'drop_table' },
    { action: 'toString' },
    { action: 'GET_REVENUE' },
  ])('%j has no known action', async body => {
    expect(await send(body)).toMatchObject({
      status: 400,
      body: { code: 'unknown_action', errors: [{ pointer: '/body/action' }] },
    });
  });

  it.each<[body: object, detail: string]>([
    [{}, '/body/action: is missing'],
    [
      { action: 'generate_invoice', billingPeriod: '2025-13' },
      '/body/billingPeriod: must be a month from 01 to 12, as YYYY-MM',
    ],
    [
      { action: 'get_revenue', dateFrom: '2026-02-30' },
      '/body/dateFrom: must be a day that exists, as YYYY-MM-DD',
    ],
  ])('of %j it says what is required', async (body, detail) => {
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 'invalid_request', detail } });
  });

  it.each(['null', '[]', '"get_revenue"', '7'])('%s is not a request', async body => {
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('a body that is not JSON, or has a `__proto__`, is a 400', async () => {
    expect(await send('{"action":')).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    expect(await send('{"action":"get_revenue","__proto__":{}}')).toMatchObject({ status: 400 });
  });
});

describe("reading one's own writes", () => {
  const revenue = { action: 'get_revenue' };

  it('waits for the position of a command', async () => {
    for (let i = 0; i < 20; i++) {
      const { headers } = await instance.record([{ id: `mine-${i}` }]);
      const { body } = await send(revenue, { 'X-Min-Position': headers['x-ledger-position'] as string });
      expect(body.byMerchant[0].fee_count).toBe(i + 1);
    }
  });

  it('waits for a bounded time', async () => {
    const waiting = jest.spyOn(instance.deps.views, 'waitForPosition').mockResolvedValue(false);
    const head = String(await instance.store.head());
    const { status, body, headers } = await send(revenue, { 'X-Min-Position': head });
    waiting.mockRestore();
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'not_ready', '1']);
  });

  it.each([
    { action: 'get_fee_history', feeId: 'mine-0' },
    { action: 'get_rebate_rule' },
    { action: 'list_audit_trail', dateFrom: '2026-11-01', dateTo: '2026-11-30' },
  ])('$action reads events, and waits for no documents', async body => {
    const head = await instance.store.head();
    const waiting = jest.spyOn(instance.deps.views, 'waitForPosition').mockResolvedValue(false);
    const statuses = [];
    for (const position of [head, head + 1_000_000])
      statuses.push((await send(body, { 'X-Min-Position': String(position) })).status);
    waiting.mockRestore();
    expect(statuses).toEqual([200, 400]);
  });

  it('answers at once for a position that nothing was recorded at, and says so', async () => {
    const waiting = jest.spyOn(instance.deps.views, 'waitForPosition');
    const { status, body } = await send(revenue, { 'X-Min-Position': '999999999' });
    expect([status, body.errors]).toMatchObject([
      400,
      [{ pointer: '/header/x-min-position', code: 'unknown_position' }],
    ]);
    expect(waiting).not.toHaveBeenCalled();
    waiting.mockRestore();
  });

  it.each(['', 'x', '-2', '1.5', '1e3', '99999999999999999999'])(
    'refuses %j as a position',
    async position => {
      const { status, body } = await send(revenue, { 'X-Min-Position': position });
      expect([status, body.errors?.[0].pointer]).toEqual([400, '/header/x-min-position']);
    },
  );
});
