import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { ROLES, type Role } from '../../contracts/principal';
import { openInstance, type TestInstance } from '../billing/instance';

/**
 * The authentication table of the specification, copied by hand: action, minimum role, secure session, and the rest of
 * a body that is well-formed. Not derived from the code.
 */
const SPEC: [action: string, minimum: Role, secure: 'Yes' | 'No', rest: object][] = [
  ['get_revenue', 'finance', 'No', {}],
  ['list_fee_ledger', 'finance', 'No', { status: 'collected', page: 1, pageSize: 50 }],
  ['export_revenue_csv', 'finance', 'No', { dateFrom: '2026-11-01', dateTo: '2026-11-30' }],
  ['list_invoices', 'finance', 'No', {}],
  ['get_invoice', 'finance', 'No', { invoiceId: '00000000-0000-4000-8000-000000000000' }],
  ['generate_invoice', 'admin', 'Yes', { billingPeriod: '2026-11' }],
  ['finalize_invoice', 'admin', 'Yes', { invoiceId: '00000000-0000-4000-8000-000000000000' }],
  ['void_invoice', 'admin', 'Yes', { invoiceId: '00000000-0000-4000-8000-000000000000', reason: 'because' }],
  ['list_settlements', 'finance', 'No', {}],
  ['generate_settlement', 'admin', 'Yes', { billingPeriod: '2026-11' }],
  ['mark_settlement_paid', 'admin', 'Yes', { settlementId: '00000000-0000-4000-8000-000000000000' }],
  ['list_rebates', 'finance', 'No', {}],
];

/** As above, beyond the specification. */
const BEYOND: typeof SPEC = [
  ['preview_invoice', 'finance', 'No', { billingPeriod: '2026-11' }],
  ['preview_settlement', 'finance', 'No', { billingPeriod: '2026-11' }],
  ['get_settlement', 'finance', 'No', { settlementId: '00000000-0000-4000-8000-000000000000' }],
  ['get_fee_history', 'finance', 'No', { feeId: 'fee-1' }],
  ['export_invoice', 'finance', 'No', { invoiceId: '00000000-0000-4000-8000-000000000000', format: 'pdf' }],
  [
    'export_settlement',
    'finance',
    'No',
    { settlementId: '00000000-0000-4000-8000-000000000000', format: 'csv' },
  ],
  ['get_rebate_rule', 'finance', 'No', {}],
  ['list_merchants', 'finance', 'No', {}],
  [
    'void_settlement',
    'admin',
    'Yes',
    { settlementId: '00000000-0000-4000-8000-000000000000', reason: 'because' },
  ],
  ['set_rebate_rule', 'admin', 'Yes', { tiers: [{ from: '0', rate: '0.05' }] }],
  ['set_merchant', 'admin', 'Yes', { merchantId: 'm-1', name: 'Ann', slug: 'ann' }],
  ['list_audit_trail', 'admin', 'Yes', { dateFrom: '2026-11-01', dateTo: '2026-11-30' }],
];
const ACTIONS = [...SPEC, ...BEYOND];

/** The response to the bodies above, with access, in an instance without fees. */
const PERMITTED: Record<string, number> = {
  get_invoice: 404,
  generate_invoice: 422,
  finalize_invoice: 404,
  void_invoice: 404,
  generate_settlement: 422,
  mark_settlement_paid: 404,
  preview_invoice: 422,
  preview_settlement: 422,
  get_settlement: 404,
  get_fee_history: 404,
  void_settlement: 404,
  export_invoice: 404,
  export_settlement: 404,
};

/** Seconds since the strong authentication; the instance asks for one within the last 900. */
const SESSIONS: [name: string, age: number | null, secure: boolean][] = [
  ['no secure session', null, false],
  ['a fresh secure session', 0, true],
  ['a secure session of fourteen minutes', 14 * 60, true],
  ['a secure session of sixteen minutes', 16 * 60, false],
];

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance();
});
afterAll(() => instance.close());

const call = async (token: string | null, body: unknown) => {
  const post = request(instance.app).post('/api/instance-admin').set('Content-Type', 'application/json');
  if (token !== null) post.set('Authorization', `Bearer ${token}`);
  return post.send(JSON.stringify(body));
};
const issuerOf = (role: Role) => (role === 'platform_admin' ? 'platform' : 'instance');

const matrix = ACTIONS.flatMap(([action, minimum, secure, rest]) =>
  ROLES.flatMap(role =>
    SESSIONS.map(([session, age, counts]) => ({ action, minimum, secure, rest, role, session, age, counts })),
  ),
);

it.each(matrix)(
  '$action as $role with $session',
  async ({ action, minimum, secure, rest, role, age, counts }) => {
    const token = await instance.token({ role, issuer: issuerOf(role), secure: age !== null, age: age ?? 0 });
    const { status, body, headers } = await call(token, { action, ...rest });

    const order = ['viewer', 'finance', 'admin', 'owner', 'platform_admin'];
    if (order.indexOf(role) < order.indexOf(minimum)) {
      expect([status, body.code, body.requiredRole]).toEqual([403, 'insufficient_role', minimum]);
    } else if (secure === 'Yes' && !counts) {
      expect([status, body.code, body.maxAge]).toEqual([401, 'secure_session_required', 900]);
      expect(headers['www-authenticate']).toBe(
        'Bearer error="insufficient_user_authentication", acr_values="aal2", max_age="900"',
      );
    } else {
      expect(status).toBe(PERMITTED[action] ?? 200);
    }
  },
);

it('knows no other action', async () => {
  const token = await instance.token({ role: 'owner', secure: true });
  const { body } = await call(token, { action: 'no_such_action' });
  const known = /one of (.*)$/.exec(body.errors[0].message as string)![1]!.split(', ');
  expect(known.sort()).toEqual(ACTIONS.map(([action]) => action).sort());
});

it('accepts no two tokens at once, in either order', async () => {
  const server = instance.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [viewer, owner] = [
    await instance.token({ role: 'viewer' }),
    await instance.token({ role: 'owner', secure: true }),
  ];
  for (const tokens of [
    [viewer, owner],
    [owner, viewer],
    [owner, owner],
  ]) {
    const headers = {
      Authorization: tokens.map(token => `Bearer ${token}`),
      'Content-Type': 'application/json',
    };
    const call = httpRequest({ port, method: 'POST', path: '/api/instance-admin', headers });
    call.end(JSON.stringify({ action: 'get_revenue' }));
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(401);
  }
  await new Promise(resolve => server.close(resolve));
});

it('ignores a role, a session or an instance in the body, the query or a header', async () => {
  const token = await instance.token({ role: 'viewer' });
  const post = (path: string, headers: Record<string, string> = {}) =>
    request(instance.app).post(path).set('Authorization', `Bearer ${token}`).set(headers);
  const body = { action: 'get_revenue' };
  for (const field of ['role', 'instance_id', 'acr', 'auth_time', 'secure', 'sub'])
    expect((await call(token, { ...body, [field]: 'owner' })).status).toBe(400);
  expect((await post('/api/instance-admin?role=owner').send(body)).status).toBe(403);
  for (const header of ['X-Role', 'X-Secure-Session', 'X-User', 'X-Instance-Id', 'X-HTTP-Method-Override'])
    expect((await post('/api/instance-admin', { [header]: 'owner' }).send(body)).status).toBe(403);
  expect(
    (await request(instance.app).post(`/api/instance-admin?access_token=${token}`).send(body)).status,
  ).toBe(401);
  expect(
    (await request(instance.app).post('/api/instance-admin').set('Cookie', `token=${token}`).send(body))
      .status,
  ).toBe(401);
});

describe('the order of the checks', () => {
  it('is token, body, role, session, domain', async () => {
    const viewer = await instance.token({ role: 'viewer' });
    const admin = await instance.token({ role: 'admin' });
    const secure = await instance.token({ role: 'admin', secure: true });
    const unknown = { action: 'void_invoice', invoiceId: '00000000-0000-4000-8000-000000000000' };
    const malformed = { action: 'void_invoice', invoiceId: 'x' };

    expect(await call(null, malformed)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await call('rubbish', malformed)).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    expect(await call(viewer, malformed)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await call(viewer, unknown)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } });
    expect(await call(admin, unknown)).toMatchObject({
      status: 401,
      body: { code: 'secure_session_required' },
    });
    expect(await call(secure, unknown)).toMatchObject({ status: 404, body: { code: 'invoice_not_found' } });
  });

  it('checks the role before the minimum position', async () => {
    const token = await instance.token({ role: 'viewer' });
    const { status } = await request(instance.app)
      .post('/api/instance-admin')
      .set('Authorization', `Bearer ${token}`)
      .set('X-Min-Position', 'x')
      .send({ action: 'get_revenue' });
    expect(status).toBe(403);
  });
});
