import request from 'supertest';
import type { AuditPage, FeeChange } from '../../contracts/http/billing/history';
import type { Settlement } from '../../contracts/http/billing/settlements';
import { erase } from '../../services/erasure/erase';
import { readAuditTrail } from '../../services/audit/read';
import { openInstance, type TestInstance } from './instance';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance({ settings: { TRUSTED_PROXIES: '1' } });
});
afterEach(() => instance.close());

const OPERATOR = { now: '2026-12-10T09:00:00.000Z', actor: 'operator' };
const history = async (feeId: string) => (await instance.act({ action: 'get_fee_history', feeId })).body;
const changes = (body: { history: FeeChange[] }) =>
  body.history.map(({ event, collection_status }) => [event, collection_status]);

describe('get_fee_history', () => {
  it('has every event with its actor, time and position', async () => {
    await instance.record([{ id: 'a', collection_status: 'pending' }]);
    await instance.record([{ id: 'a', action: 'collect' }]);
    await instance.record([{ id: 'a', action: 'reverse' }]);
    const body = await history('a');
    expect(changes(body)).toEqual([
      ['recorded', 'pending'],
      ['collected', 'collected'],
      ['reversed', 'reversed'],
    ]);
    const positions = body.history.map(({ position }: FeeChange) => position);
    expect(positions).toEqual([...positions].sort((a: number, b: number) => a - b));
    for (const change of body.history as FeeChange[]) {
      expect(change).toMatchObject({ by: 'admin@test', requestId: expect.any(String), adjustmentId: null });
      expect(Date.parse(change.at)).toBeGreaterThan(0);
    }
    expect(body).toMatchObject({
      feeId: 'a',
      invoiceId: null,
      rows: [{ id: 'a', collection_status: 'reversed' }],
    });
  });

  it('names the invoice, and the adjustment that reverses an invoiced fee', async () => {
    await instance.record([{ id: 'a' }]);
    const { body } = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' });
    await instance.record([{ id: 'a', action: 'reverse' }]);
    const found = await history('a');
    expect(found.invoiceId).toBe(body.invoice.invoiceId);
    expect(changes(found)).toEqual([
      ['recorded', 'collected'],
      ['reversed', 'collected'],
    ]);
    expect(found.history[1].adjustmentId).toBe('a~reversal');
    const { body: ledger } = await instance.act({ action: 'list_fee_ledger' });
    expect(found.rows).toEqual(expect.arrayContaining(ledger.rows as unknown[]));
    expect(found.rows).toHaveLength(2);
    expect(await history('a~reversal')).toEqual(found);
  });

  it('names no invoice that was generated after the fee was reversed', async () => {
    await instance.record([{ id: 'a' }, { id: 'b' }]);
    await instance.record([{ id: 'a', action: 'reverse' }]);
    const { body } = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' });
    expect(body.invoice).toMatchObject({ feeCount: 1 });
    expect(await history('a')).toMatchObject({ invoiceId: null });
    expect(await history('b')).toMatchObject({ invoiceId: body.invoice.invoiceId });
  });

  it('of an unknown fee, or an adjustment that does not exist, is a 404', async () => {
    await instance.record([{ id: 'a' }]);
    for (const feeId of ['b', 'a~reversal'])
      expect(await instance.act({ action: 'get_fee_history', feeId })).toMatchObject({
        status: 404,
        body: { code: 'fee_not_found' },
      });
  });
});

describe('get_settlement', () => {
  it('is the settlement of the list, as of any moment, with a proof, and without erased text', async () => {
    await instance.record([{ id: 'a' }]);
    const { body } = await instance.act({ action: 'generate_settlement', billingPeriod: '2026-11' });
    const [{ settlementId }] = body.settlements as [Settlement];
    const before = await instance.store.head();
    await instance.act({ action: 'mark_settlement_paid', settlementId, reference: 'wire 7' });

    const get = async (more: object = {}) =>
      (await instance.act({ action: 'get_settlement', settlementId, ...more })).body;
    const { body: list } = await instance.act({ action: 'list_settlements' });
    expect((await get()).settlement).toEqual(list.rows[0]);
    expect(await get()).toMatchObject({ settlement: { status: 'paid', reference: 'wire 7' } });
    expect(await get({ asOf: before })).toMatchObject({ settlement: { status: 'pending', reference: null } });
    expect(await get({ proof: true })).toMatchObject({ proof: { query: { action: 'get_settlement' } } });

    await erase({ keys: instance.subjects, handle: instance.deps.handle }, 'admin@test', OPERATOR);
    expect(await get()).toMatchObject({ settlement: { reference: null, referenceErased: true } });
  });
});

describe('list_audit_trail', () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const page = async (more: object = {}): Promise<AuditPage> => {
    const fields = { dateFrom: '2026-01-01', dateTo: '2026-12-31', ...more };
    const { status, body } = await instance.act({ action: 'list_audit_trail', ...fields });
    expect([status, body]).toEqual([200, body]);
    return body as AuditPage;
  };

  it('has what was recorded, page by page, also what a page was read by', async () => {
    const day = today();
    const range = { dateFrom: day, dateTo: day };
    for (let i = 0; i < 5; i++)
      await instance.act({ action: 'generate_invoice', billingPeriod: `2026-0${i + 1}` });
    await instance.record([{ id: 'a' }]);

    const rows: AuditPage['rows'] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 3; pages++) {
      const { rows: more, cursor: next } = await page({ ...range, pageSize: 2, cursor });
      expect(more).toHaveLength(2);
      rows.push(...more);
      cursor = next;
    }
    const all = [];
    for await (const line of readAuditTrail(instance.deps, 'local', {})) all.push(line);
    expect(rows).toEqual(all.slice(0, 6));
    expect(rows.map(({ action }) => action)).toEqual([
      ...Array.from({ length: 5 }, () => 'generate_invoice'),
      'record_fees',
    ]);
    expect(rows[0]).toMatchObject({ kind: 'call', code: 'no_collected_fees', actor: 'admin@test' });
    expect((await page({ ...range, auditedAction: 'list_audit_trail' })).rows).toHaveLength(3);
    expect(await page({ ...range, actor: 'nobody@test' })).toEqual({ rows: [], truncated: false });
    expect(await page({ dateFrom: '2020-01-01', dateTo: '2020-12-31' })).toEqual({
      rows: [],
      truncated: false,
    });
  });

  it('continues within the lines of one event', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      await request(instance.app)
        .post('/api/instance-admin')
        .set({ Authorization: 'Bearer x', 'X-Forwarded-For': address })
        .send({ action: 'get_revenue' });
    await instance.policies.flush();
    const found: (string | null)[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 3; pages++) {
      const { rows, cursor: next } = await page({ dateFrom: today(), dateTo: today(), pageSize: 1, cursor });
      expect(rows).toMatchObject([{ kind: 'counted', count: 1, status: 401 }]);
      found.push((rows[0] as { address: string }).address);
      cursor = next;
    }
    expect(found).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
  });

  it('shows an erased address as null', async () => {
    await instance.act({ action: 'generate_invoice', billingPeriod: '2026-01' });
    await erase({ keys: instance.subjects, handle: instance.deps.handle }, 'admin@test', OPERATOR);
    const { rows } = await page({ dateFrom: today(), dateTo: today() });
    expect(rows[0]).toMatchObject({ kind: 'call', address: null, actor: 'admin@test' });
  });

  it('reads at most 366 days a call', async () => {
    const fields = { action: 'list_audit_trail', dateFrom: '2025-01-01' };
    expect(await instance.act({ ...fields, dateTo: '2026-01-01' })).toMatchObject({ status: 200 });
    expect(await instance.act({ ...fields, dateTo: '2026-01-02' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/dateTo' }] },
    });
    expect(await instance.act({ ...fields, dateTo: '2999-12-31' })).toMatchObject({ status: 400 });
  });

  it('ends with the last day there is', async () => {
    expect(await page({ dateFrom: '9999-12-01', dateTo: '9999-12-31' })).toMatchObject({ rows: [] });
  });
});
