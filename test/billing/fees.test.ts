import request from 'supertest';
import { fee, openInstance, type FeeInput, type TestInstance } from './instance';

/** Late pages begin earlier than they do elsewhere, so that fewer fees have some. */
jest.mock('../../projections/billing/fee-count', () => ({
  ...jest.requireActual('../../projections/billing/fee-count'),
  MAX_SKIP: 100,
}));

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance();
});
afterEach(() => instance.close());

const results = (body: { results: { result: string; problem?: { code: string } }[] }) =>
  body.results.map(({ result, problem }) => problem?.code ?? result);
const ledger = async (more: object = {}) => (await instance.act({ action: 'list_fee_ledger', ...more })).body;

describe('POST /api/fees', () => {
  it('records fees as rows of the ledger', async () => {
    const { status, body, headers } = await instance.record([
      { id: 'a', fee_amount: '1.5', created_at: '2026-11-20T13:00:00+02:00' },
    ]);
    expect([status, body]).toEqual([200, { results: [{ id: 'a', result: 'recorded' }] }]);
    expect(headers['x-ledger-position']).toBe(String(await instance.ledgerHead()));
    expect(await ledger()).toEqual({
      total: 1,
      page: 1,
      pageSize: 50,
      rows: [
        {
          id: 'a',
          fee_type: 'creation',
          collection_status: 'collected',
          fee_amount: '1.50',
          gross_amount: '100.00',
          billing_period: '2026-11',
          created_at: '2026-11-20T11:00:00.000Z',
          merchant_id: 'm-1',
          merchant_name: 'Espresso & Co',
          merchant_slug: 'espresso',
        },
      ],
    });
  });

  it('returns a result for each row, and a refused one does not affect the others', async () => {
    await instance.record([{ id: 'a' }, { id: 'b', collection_status: 'pending' }]);
    const { status, body } = await instance.record([
      { id: 'a' },
      { id: 'a', fee_amount: '9' },
      { id: 'b', action: 'collect' },
      { id: 'c' },
      { id: 'nobody', action: 'waive' },
    ]);
    expect(status).toBe(200);
    expect(results(body)).toEqual(['unchanged', 'fee_exists', 'recorded', 'recorded', 'fee_not_found']);
    expect(body.results[1].problem).toMatchObject({
      status: 409,
      detail: expect.stringContaining('fee_amount'),
    });
    expect(await ledger()).toMatchObject({ total: 3 });
  });

  it('executes the rows of one fee in order', async () => {
    const { body } = await instance.record([
      { id: 'a', collection_status: 'pending' },
      { id: 'a', action: 'collect' },
      { id: 'a', action: 'collect' },
      { id: 'a', action: 'reverse' },
      { id: 'a', action: 'waive' },
    ]);
    expect(results(body)).toEqual(['recorded', 'recorded', 'unchanged', 'recorded', 'fee_not_pending']);
    expect(await ledger()).toMatchObject({ rows: [{ collection_status: 'reversed' }] });
  });

  it('answers with the position from which reads show what it says, also of rows that change nothing', async () => {
    const positionOf = async (rows: FeeInput[]): Promise<number> =>
      Number((await instance.record(rows)).headers['x-ledger-position']);
    const [first, second] = [await positionOf([{ id: 'a' }]), await positionOf([{ id: 'b' }])];
    expect(second).toBe(await instance.ledgerHead());
    // Unchanged: as it is since it was recorded.
    expect(await positionOf([{ id: 'a' }])).toBe(first);
    // Refused, for what is recorded by now.
    for (const rows of [[{ id: 'a', fee_amount: '7' }], [{ id: 'a' }, { id: 'b', fee_amount: '7' }]]) {
      const before = await instance.store.head();
      const position = await positionOf(rows);
      expect(position).toBeGreaterThanOrEqual(before);
      // What is audited comes after it.
      expect(position).toBeLessThan(await instance.store.head());
    }
  });

  it.each([
    ['/body/fees/1/fee_amount', { fee_amount: '1,50' }],
    ['/body/fees/1/fee_amount', { fee_amount: 1.5 as unknown as string }],
    ['/body/fees/1/created_at', { created_at: '2026-02-30T00:00:00Z' }],
    ['/body/fees/1/created_at', { created_at: '1969-01-01T00:00:00Z' }, 'from 1970-01-02 to 2999-12-30'],
    // Elsewhere it may be a day that no fee may have.
    ['/body/fees/1/created_at', { created_at: '1970-01-02T00:00:00+14:00' }, 'in UTC'],
    ['/body/fees/1/created_at', { created_at: '2999-12-30T23:59:59-12:00' }, 'in UTC'],
    ['/body/fees/1/created_at', { created_at: '2026-11-20 11:00' }, 'an RFC 3339 instant such as'],
    ['/body/fees/1/collection_status', { collection_status: 'waived' }],
    ['/body/fees/1/merchant_name', { merchant_name: 'two\nlines' }],
    ['/body/fees/1/merchant_name', { merchant_name: '   ' }],
    ['/body/fees/1/merchant_slug', { merchant_slug: 'a/b' }],
    ['/body/fees/1/id', { id: '../a' }],
    ['/body/fees/1/id', { id: 'x'.repeat(129) }],
    ['/body/fees/1/action', { action: 'delete' }],
    ['/body/fees/1/colour', { colour: 'red' } as object],
  ])('writes nothing when %s is wrong', async (pointer, wrong, message = '') => {
    const rows = [fee({ id: 'a' }), { ...fee({ id: 'b' }), ...wrong } as FeeInput];
    const token = await instance.token({ role: 'admin' });
    const { status, body } = await request(instance.app)
      .post('/api/fees')
      .set('Authorization', `Bearer ${token}`)
      .send({ fees: rows });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer, message: expect.stringContaining(message) as string }],
    });
    expect(await ledger()).toMatchObject({ total: 0 });
  });

  it('accepts a thousand rows and no more', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `f-${i}` }));
    expect(await instance.record(many(1_001))).toMatchObject({ status: 400 });
    expect(await instance.record([])).toMatchObject({ status: 400 });
    const { status, body } = await instance.record(many(1_000));
    expect(status).toBe(200);
    expect(new Set(results(body))).toEqual(new Set(['recorded']));
    expect(results((await instance.record(many(1_000))).body)).toEqual(
      Array<string>(1_000).fill('unchanged'),
    );
  });

  it('uses the time of recording for fees without a date', async () => {
    const { body } = await instance.record([{ id: 'a', created_at: undefined as unknown as string }]);
    expect(results(body)).toEqual(['recorded']);
    const again = await instance.record([{ id: 'a', created_at: undefined as unknown as string }]);
    expect(results(again.body)).toEqual(['unchanged']);
  });

  it.each([
    ['viewer', 403],
    ['finance', 403],
    ['admin', 200],
    ['owner', 200],
  ] as const)('is answered %s with %i', async (role, expected) => {
    const { status } = await request(instance.app)
      .post('/api/fees')
      .set('Authorization', `Bearer ${await instance.token({ role })}`)
      .send({ fees: [fee({ id: 'a' })] });
    expect(status).toBe(expected);
  });
});

describe('the fee ledger', () => {
  it('is newest first, the higher id first for equal times', async () => {
    await instance.record([
      { id: 'a', created_at: '2026-11-20T00:00:00Z' },
      { id: 'c', created_at: '2026-11-20T00:00:00Z' },
      { id: 'b', created_at: '2026-11-20T00:00:00Z', collection_status: 'pending' },
      { id: 'z', created_at: '2026-11-19T00:00:00Z' },
      { id: '0', created_at: '2026-11-21T00:00:00Z', collection_status: 'pending' },
    ]);
    const { rows } = await ledger();
    expect(rows.map(({ id }: { id: string }) => id)).toEqual(['0', 'c', 'b', 'a', 'z']);
  });

  it('filters by days in the time zone of the instance, both inclusive', async () => {
    const berlin = await openInstance({ settings: { INSTANCE_TIME_ZONE: 'Europe/Berlin' } });
    try {
      await berlin.record([
        { id: 'first', created_at: '2026-10-31T23:00:00Z' },
        { id: 'last', created_at: '2026-11-30T22:59:59.999Z' },
        { id: 'after', created_at: '2026-11-30T23:00:00Z' },
      ]);
      const query = { action: 'list_fee_ledger', dateFrom: '2026-11-01', dateTo: '2026-11-30' };
      const { body } = await berlin.act(query);
      expect(body).toMatchObject({
        total: 2,
        rows: [{ id: 'last' }, { id: 'first', billing_period: '2026-11' }],
      });
      expect((await berlin.act({ action: 'list_fee_ledger', billingPeriod: '2026-12' })).body).toMatchObject({
        rows: [{ id: 'after', billing_period: '2026-12' }],
      });
    } finally {
      await berlin.close();
    }
  });

  it('accepts the first and the last possible date', async () => {
    await instance.record([{ id: 'a' }]);
    expect(await ledger({ dateFrom: '0001-01-01', dateTo: '9999-12-31' })).toMatchObject({
      total: 1,
      rows: [{ id: 'a' }],
    });
    expect(await ledger({ dateFrom: '9999-12-31' })).toMatchObject({ total: 0, rows: [] });
    expect(await ledger({ billingPeriod: '0000-01' })).toMatchObject({ total: 0, rows: [] });
  });

  it('has no rows on a page past the end, and the same total', async () => {
    await instance.record([{ id: 'a' }]);
    expect(await ledger({ page: 2, pageSize: 1 })).toEqual({ rows: [], total: 1, page: 2, pageSize: 1 });
    expect(await ledger({ page: Number.MAX_SAFE_INTEGER, pageSize: 200 })).toMatchObject({
      rows: [],
      total: 1,
    });
  });

  it('has the same rows on a late page as in a read from the start', async () => {
    const merchants = ['espresso', 'noon'];
    const rows = Array.from({ length: 300 }, (_, i) => ({
      id: `f-${i}`,
      // Thirty on every tenth day, two of a merchant at each instant.
      created_at: new Date(Date.UTC(2026, 6, 1 + (i % 10) * 10) + Math.floor(i / 20)).toISOString(),
      merchant_slug: merchants[i % 2]!,
      collection_status: i % 3 === 0 ? 'pending' : 'collected',
    }));
    await instance.record(rows);
    const newestFirst = [...rows].sort((a, b) =>
      `${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? 1 : -1,
    );

    const expectPage = async (filter: object, expected: typeof rows, page: number, pageSize: number) => {
      const { rows: shown, total } = await ledger({ ...filter, page, pageSize });
      expect(total).toBe(expected.length);
      expect(shown.map(({ id }: { id: string }) => id)).toEqual(
        expected.slice((page - 1) * pageSize, page * pageSize).map(({ id }) => id),
      );
    };
    const expectPages = async (filter: object, expected: typeof rows) => {
      const last = Math.ceil(expected.length / 17);
      for (const page of [1, 6, 7, 8, last - 1, last]) await expectPage(filter, expected, page, 17);
      // Pages in the newer half of a day, in its older half, and across days.
      const lastSmall = Math.ceil(expected.length / 4);
      for (let page = 27; page <= Math.min(47, lastSmall); page++)
        await expectPage(filter, expected, page, 4);
      for (const page of [lastSmall - 1, lastSmall]) await expectPage(filter, expected, page, 4);
    };
    await expectPages({}, newestFirst);
    await expectPages(
      { merchantSlug: 'noon' },
      newestFirst.filter(({ merchant_slug }) => merchant_slug === 'noon'),
    );
    await expectPages(
      { status: 'collected', dateFrom: '2026-07-15', dateTo: '2026-09-20' },
      newestFirst.filter(
        ({ collection_status, created_at }) =>
          collection_status === 'collected' && created_at >= '2026-07-15' && created_at < '2026-09-21',
      ),
    );
  });

  it('has the merchant name of each fee, and revenue the latest name', async () => {
    await instance.record([{ id: 'a', merchant_name: 'Old' }]);
    await instance.record([
      { id: 'b', merchant_name: 'New', merchant_slug: 'new', collection_status: 'pending' },
    ]);
    await instance.record([{ id: 'a', action: 'reverse' }]);
    const { rows } = await ledger({ merchantSlug: 'espresso' });
    expect(rows).toMatchObject([{ id: 'a', merchant_name: 'Old', collection_status: 'reversed' }]);
    const { body } = await instance.act({ action: 'get_revenue' });
    expect(body.byMerchant).toEqual([
      { merchant_id: 'm-1', merchant_name: 'New', fee_count: 2, collected: '0.00', pending: '1.50' },
    ]);
  });
});
