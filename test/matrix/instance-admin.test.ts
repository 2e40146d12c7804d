import request from 'supertest';
import { ROLES, type Role } from '../../contracts/principal';
import { openInstance, type TestInstance } from '../billing/instance';

/**
 * The authentication table of the specification, copied by hand: action, minimum role, secure session, and the rest of a
 * body that is well-formed. Nothing here is taken from the code.
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
];

/** In the specification as planned, and not built yet: nobody may do them, whoever they are. */
const PLANNED = ['list_settlements', 'generate_settlement', 'mark_settlement_paid', 'list_rebates'];

/** What the domain says to the bodies above in an instance without fees, once the guard has let them pass. */
const PERMITTED: Record<string, number> = {
  get_invoice: 404,
  generate_invoice: 422,
  finalize_invoice: 404,
  void_invoice: 404,
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

const matrix = SPEC.flatMap(([action, minimum, secure, rest]) =>
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

it.each(PLANNED)('%s is not built yet', async action => {
  for (const role of ROLES) {
    const token = await instance.token({ role, issuer: issuerOf(role), secure: true });
    expect(await call(token, { action })).toMatchObject({ status: 400, body: { code: 'unknown_action' } });
  }
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

  it('asks for a role before it looks at the position to read from', async () => {
    const token = await instance.token({ role: 'viewer' });
    const { status } = await request(instance.app)
      .post('/api/instance-admin')
      .set('Authorization', `Bearer ${token}`)
      .set('X-Min-Position', 'x')
      .send({ action: 'get_revenue' });
    expect(status).toBe(403);
  });
});
