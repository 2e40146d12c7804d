import request from 'supertest';
import { z } from 'zod';
import { endpoint, type Endpoint } from '../../contracts/http/endpoint';
import { ROLES, type Role } from '../../contracts/principal';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { createTestApp } from '../../test/app';
import { noAudit } from '../audit/audit';
import type { AppOptions } from './app';
import { bind } from './binding';
import { Reply } from './call';
import type { RequestPolicies } from './mount-options';
import { createPositionReads } from './position-reads';

const WRITES = { name: 'writes', of: 'calls', by: 'address' as const, perMinute: 20 };

const common = { group: 'Toy', summary: 'Toy' };
let writes = 0;
const policies: RequestPolicies = {
  secureSession: { maxAge: 900, acrValues: ['aal2'], ownIssuers: ['instance'] },
  limits: {
    ...NO_LIMITS,
    consume: async policy => {
      if (policy !== 'writes') return null;
      const remaining = 2 - ++writes;
      return { quota: 2, window: 60, remaining, resetsIn: 60, exceeded: remaining < 0 };
    },
  },
  audit: noAudit,
  positions: createPositionReads(async () => Number.MAX_SAFE_INTEGER, 0),
  idempotency: async (call, next) => {
    const { body, headers, status } = await next();
    return new Reply(body, { ...headers, 'Idempotent-Replayed': call.header('idempotency-key')! }, status);
  },
};

/** The token is a role, and the age of the secure session where there is one. */
const authenticate: NonNullable<AppOptions['authenticate']> = {
  bearer: async authorization => {
    const [role, age] = authorization!.slice('Bearer '.length).split(' ');
    return {
      subject: 'ann',
      issuer: 'instance',
      role: ROLES.find(each => each === role)!,
      secureSessionAge: age === undefined ? null : Number(age),
    };
  },
};
const token = (role: Role, age?: number) => ({
  Authorization: `Bearer ${role}${age === undefined ? '' : ` ${age}`}`,
});

describe('methods and statuses', () => {
  const note = z.object({ text: z.string() });
  const params = z.object({ id: z.string() });
  const app = createTestApp([
    bind(
      endpoint({
        ...common,
        method: 'PUT',
        path: '/notes/{id}',
        status: 201,
        params,
        body: note,
        response: note,
      }),
      async ({ body }) => body,
    ),
    bind(
      endpoint({
        ...common,
        method: 'PATCH',
        path: '/notes/{id}',
        status: 202,
        params,
        body: note,
        response: note,
      }),
      async ({ body }) => body,
    ),
    bind(
      endpoint({ ...common, method: 'DELETE', path: '/notes/{id}', status: 204, params }),
      async () => undefined,
    ),
  ]);

  it('are those of the endpoint', async () => {
    await request(app).put('/notes/1').send({ text: 'a' }).expect(201, { text: 'a' });
    await request(app).patch('/notes/1').send({ text: 'b' }).expect(202, { text: 'b' });
    const deleted = await request(app).delete('/notes/1').expect(204);
    expect([deleted.text, deleted.headers['content-type']]).toEqual(['', undefined]);
    const refused = await request(app).post('/notes/1').expect(405);
    expect(refused.headers['allow']).toBe('PUT, PATCH, DELETE');
  });
});

describe('access', () => {
  const action = endpoint({
    ...common,
    method: 'POST',
    path: '/actions',
    auth: 'bearer',
    body: z.object({ action: z.enum(['read', 'write']) }),
    response: z.object({ operation: z.string(), minPosition: z.number().nullable() }),
    actions: {
      read: { role: 'finance', minPosition: true },
      write: { role: 'admin', secureSession: true, rateLimit: WRITES, idempotency: true },
    },
  });
  const app = createTestApp(
    [bind(action, async ({ operation, minPosition }) => ({ operation, minPosition }))],
    { ...policies, authenticate },
  );
  const act = (name: string, headers: Record<string, string>) =>
    request(app).post('/actions').set(headers).send({ action: name });

  it('is that of the action', async () => {
    expect((await act('read', token('viewer'))).body.code).toBe('insufficient_role');
    expect((await act('write', token('finance', 0))).body.code).toBe('insufficient_role');
    expect((await act('write', token('admin'))).body.code).toBe('secure_session_required');
    expect((await act('write', token('admin', 901))).body.code).toBe('secure_session_required');
    await act('read', token('finance')).expect(200, { operation: 'POST /actions read', minPosition: null });
  });

  it('parses the position to read from only where it is honoured', async () => {
    const position = (text: string) => ({ 'X-Min-Position': text });
    const read = await act('read', { ...token('finance'), ...position('7') }).expect(200);
    expect(read.body.minPosition).toBe(7);
    const refused = await act('read', { ...token('finance'), ...position('x') }).expect(400);
    expect(refused.body.errors[0].pointer).toBe('/header/x-min-position');
  });

  it('runs calls with a key through the idempotency middleware, and counts admitted calls', async () => {
    const write = () => act('write', { ...token('admin', 1), 'Idempotency-Key': 'k' });
    const { body, headers } = await write().expect(200);
    expect(body).toEqual({ operation: 'POST /actions write', minPosition: null });
    expect(headers).toMatchObject({ 'idempotent-replayed': 'k', ratelimit: '"writes";r=1;t=60' });
    await write().expect(200);
    expect((await write().expect(429)).headers['retry-after']).toBe('60');
    const read = await act('read', { ...token('finance'), 'Idempotency-Key': 'k' }).expect(200);
    expect(read.headers).not.toHaveProperty('idempotent-replayed');
  });
});

it.each<[string, Partial<Endpoint>]>([
  ['authenticate.bearer', { auth: 'bearer' }],
  ['secureSession', { secureSession: true }],
  ['limits', { rateLimit: WRITES }],
  ['limits', { limitedByAddress: true }],
  ['idempotency', { idempotency: true }],
])('does not start without %s where an endpoint needs it', (option, needing) => {
  const needy = endpoint({ ...common, method: 'GET', path: '/x', ...needing, kind: 'json' } as Endpoint);
  const mount = () => createTestApp([bind(needy, async () => ({}))]);
  expect(mount).toThrow(`GET /x needs the option ${option}`);
});

it('does not start without an audit trail where a handler needs it, or with an idempotent stream', () => {
  const audited = bind(endpoint({ ...common, method: 'GET', path: '/x' }), async () => undefined, {
    auditSubject: () => ({ action: 'x', always: true, about: {} }),
  });
  expect(() => createTestApp([audited])).toThrow('needs the option audit');
  const stream = endpoint({ ...common, method: 'GET', path: '/x', kind: 'raw', idempotency: true });
  expect(() => createTestApp([bind(stream, async () => '')], policies)).toThrow('only kind json');
});

describe('networks that are off', () => {
  const handled = jest.fn(async () => ({ ok: true }));
  const params = z.object({ network: z.enum(['mainnet', 'testnet']) });
  const app = createTestApp(
    [
      bind(
        endpoint({
          ...common,
          method: 'GET',
          path: '/chain/{network}',
          params,
          response: z.object({ ok: z.boolean() }),
          needs: ({ params: { network } }) => [{ chain: 'ton', network }],
        }),
        handled,
      ),
      bind(
        endpoint({
          ...common,
          method: 'GET',
          path: '/label/{network}',
          params,
          response: z.object({ ok: z.boolean() }),
        }),
        handled,
      ),
    ],
    { followed: { ton: ['mainnet'], solana: [] } },
  );

  it('refuse what needs them, before its handler, and tell nobody to try again', async () => {
    const { body, headers } = await request(app).get('/chain/testnet').expect(404);
    expect(body).toMatchObject({ code: 'network_off', detail: 'This instance does not serve TON testnet.' });
    expect(headers).not.toHaveProperty('retry-after');
    expect(handled).not.toHaveBeenCalled();
    await request(app).get('/chain/nowhere').expect(400);
  });

  it('do not matter to what only names them', async () => {
    await request(app).get('/chain/mainnet').expect(200);
    await request(app).get('/label/testnet').expect(200);
  });
});
