import request from 'supertest';
import { AUDIT_CATEGORY } from '../../contracts/events/audit';
import type { EventStore } from '../../contracts/ports/event-store';
import { readAuditTrail, type AuditLine, type AuditQuery } from '../../services/audit/read';
import { fee, openInstance, type TestInstance } from './instance';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let clock: number;
let refusing = false;
let instance: TestInstance;
let admin: string;
const wrapStore = (store: EventStore): EventStore => ({
  ...store,
  append: (stream, ...rest) =>
    refusing && stream.startsWith(AUDIT_CATEGORY)
      ? Promise.reject(new Error('disk full'))
      : store.append(stream, ...rest),
});
beforeEach(async () => {
  refusing = false;
  clock = Date.parse('2026-11-30T23:59:00.000Z');
  instance = await openInstance({
    settings: { RATE_LIMIT_WRITES: '2', TRUSTED_PROXIES: '1' },
    now: () => new Date(clock).toISOString(),
    wrapStore,
  });
  admin = await instance.token({ role: 'admin', secure: true, age: 5 });
});
afterEach(() => instance.close());

const act = (body: object | string, token: string | null = admin, headers: Record<string, string> = {}) => {
  const call = request(instance.app)
    .post('/api/instance-admin')
    .set({
      'Content-Type': 'application/json',
      'X-Forwarded-For': '192.0.2.7',
      'X-Request-Id': 'r-1',
      ...headers,
    });
  if (token !== null) call.set('Authorization', `Bearer ${token}`);
  return call.send(body).then(answer => answer);
};
const record = (ids: string[]) =>
  request(instance.app)
    .post('/api/fees')
    .set('Authorization', `Bearer ${admin}`)
    .send({ fees: ids.map(id => fee({ id })) });
async function trail(query: AuditQuery = {}): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for await (const line of readAuditTrail(instance.deps, 'local', query)) lines.push(line);
  return lines;
}
const brief = (lines: readonly AuditLine[]) =>
  lines.map(line => [line.action, line.kind === 'command' ? line.outcome : line.status, line.code]);

it('records actor, action, address, session and outcome', async () => {
  await record(['a', 'b']);
  await act({ action: 'generate_invoice', billingPeriod: '2026-11' });
  const [fees, generated] = await trail();
  expect(fees).toMatchObject({ action: 'record_fees', about: { rows: '2', recorded: '2' }, outcome: 'ok' });
  expect(generated).toEqual({
    kind: 'call',
    at: '2026-11-30T23:59:00.000Z',
    requestId: 'r-1',
    action: 'generate_invoice',
    actor: 'admin@test',
    issuer: 'instance',
    role: 'admin',
    address: '192.0.2.7',
    session: { id: null, age: expect.any(Number) },
    about: { billingPeriod: '2026-11' },
    outcome: 'ok',
    status: 200,
    code: null,
    replayed: false,
  });
});

it('records how many rows of fees were recorded and how many refused, and what did nothing as refused', async () => {
  await record(['a']);
  await record(['a', 'b']);
  const post = (fees: object[]) =>
    request(instance.app).post('/api/fees').set('Authorization', `Bearer ${admin}`).send({ fees });
  await post([fee({ id: 'a', fee_amount: '9.99' }), fee({ id: 'c' })]);
  await post([fee({ id: 'a', fee_amount: '9.99' })]);
  expect(await trail()).toMatchObject([
    { about: { rows: '1', recorded: '1', unchanged: '0', refused: '0' }, outcome: 'ok', status: 200 },
    { about: { rows: '2', recorded: '1', unchanged: '1', refused: '0' }, outcome: 'ok' },
    { about: { rows: '2', recorded: '1', unchanged: '0', refused: '1' }, outcome: 'ok' },
    { about: { rows: '1', recorded: '0', unchanged: '0', refused: '1' }, outcome: 'refused', status: 200 },
  ]);
});

it('records exports and refusals, and no other reads', async () => {
  const viewer = await instance.token({ role: 'viewer' });
  const unsure = await instance.token({ role: 'admin' });
  await act({ action: 'get_revenue' });
  await act({ action: 'list_invoices' });
  await act({ action: 'get_invoice', invoiceId: UNKNOWN });
  await act({ action: 'export_revenue_csv', dateFrom: '2026-11-01' });
  await act({ action: 'get_revenue' }, viewer);
  await act({ action: 'void_invoice', invoiceId: UNKNOWN }, unsure);
  await act({ action: 'generate_invoice', billingPeriod: '2026-13' });
  await act({ action: 'generate_invoice', billingPeriod: '2026-11' });
  await act({ action: 'void_invoice', invoiceId: UNKNOWN, reason: 'Zebedee' });
  await act({ action: 'void_invoice', invoiceId: UNKNOWN });
  expect(brief(await trail())).toEqual([
    ['export_revenue_csv', 200, null],
    ['get_revenue', 403, 'insufficient_role'],
    ['void_invoice', 401, 'secure_session_required'],
    ['generate_invoice', 422, 'no_collected_fees'],
    ['void_invoice', 404, 'invoice_not_found'],
    ['void_invoice', 429, 'rate_limited'],
  ]);
  expect((await instance.bytes()).includes('Zebedee')).toBe(false);
});

it('marks repeated responses', async () => {
  await record(['a']);
  const body = { action: 'generate_invoice', billingPeriod: '2026-11' };
  await act(body, admin, { 'Idempotency-Key': 'k' });
  await act(body, admin, { 'Idempotency-Key': 'k' });
  expect(await trail({ action: 'generate_invoice' })).toMatchObject([
    { replayed: false },
    { replayed: true },
  ]);
});

it('finds days, actors and actions', async () => {
  await record(['a']);
  clock += 3_600_000;
  await record(['b']);
  const owner = await instance.token({ role: 'owner', secure: true });
  await act({ action: 'export_revenue_csv' }, owner);
  for (const [query, count] of [
    [{}, 3],
    [{ to: '2026-11-30' }, 1],
    [{ from: '2026-12-01' }, 2],
    [{ from: '2026-11-30', to: '2026-11-30' }, 1],
    [{ from: '2026-11-30', to: '2026-12-01' }, 3],
    [{ from: '0001-01-01', to: '9999-12-31' }, 3],
    [{ actor: 'owner@test' }, 1],
    [{ actor: 'owner@test', action: 'record_fees' }, 0],
  ] as [AuditQuery, number][])
    expect([query, (await trail(query)).length]).toEqual([query, count]);
});

it('is written before the answer: without it, the command is not acknowledged', async () => {
  await record(['a']);
  refusing = true;
  for (const body of [
    { action: 'export_revenue_csv' },
    { action: 'generate_invoice', billingPeriod: '2026-11' },
  ])
    expect((await act(body)).status).toBe(500);
  expect((await act({ action: 'get_revenue' })).status).toBe(200);
});

it('counts refusals that need no valid token instead of recording each', async () => {
  const before = await instance.store.head();
  const viewer = await instance.token({ role: 'viewer' });
  for (let i = 0; i < 150; i++) await act('{}', 'rubbish', { 'X-Forwarded-For': `198.51.100.${i}` });
  for (let i = 0; i < 40; i++) await act({ action: 'get_revenue' }, viewer);
  const single = (await trail()).length;
  await instance.policies.flush();
  const lines = await trail();
  expect(single).toBe(30);
  // Kinds of addresses without a token, one of the viewer, and all others in a line.
  expect(lines.length).toBe(30 + 100 + 1 + 1);
  expect((await instance.store.head()) - before).toBe(31);
  const counted = lines.flatMap(line => (line.kind === 'counted' ? [line] : []));
  expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(150 + 10);
  expect(counted[0]).toMatchObject({
    actor: null,
    address: '198.51.100.0',
    status: 401,
    code: 'unauthenticated',
    count: 1,
  });
  await instance.policies.flush();
  expect((await trail()).length).toBe(lines.length);
});

it('has no address after the texts of the actor are erased', async () => {
  await record(['a']);
  await act({ action: 'export_revenue_csv' });
  expect((await instance.bytes()).includes('192.0.2.7')).toBe(false);
  await instance.subjects.destroy('admin@test');
  expect(await trail()).toMatchObject([
    { actor: 'admin@test', address: null },
    { actor: 'admin@test', address: null },
  ]);
});
