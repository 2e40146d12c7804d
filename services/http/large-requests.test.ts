import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import type { ProblemDocument } from '../../contracts/problem/problem';
import { Problem } from '../../contracts/problem/problem';
import type { Role } from '../../contracts/principal';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { createTestApp } from '../../test/app';
import { bind } from './binding';

const toy = { group: 'Toy', method: 'POST', summary: 'Toy', response: z.object({}) } as const;
const row = z.strictObject({ id: z.string().max(8), amount: z.union([z.int(), z.string().max(8)]) });
let validated = 0;
const batch = z
  .unknown()
  .transform(value => {
    validated += 1;
    return value;
  })
  .pipe(z.strictObject({ rows: z.array(row).max(1_000) }));
const open = endpoint({ ...toy, path: '/open', body: batch, bodyLimit: 4 * 2 ** 20 });
const admins = endpoint({
  ...toy,
  path: '/admins/{id}',
  params: z.object({ id: z.string().max(8) }),
  body: batch,
  auth: 'bearer',
  role: 'admin',
  rateLimit: { name: 'writes', of: 'calls', by: 'address', perMinute: 20 },
  bodyLimit: 4 * 2 ** 20,
});
const echo = endpoint({
  ...toy,
  method: 'GET',
  path: '/echo',
  query: z.strictObject({ a: z.string().max(3).optional() }),
});
const refusing = endpoint({
  ...toy,
  path: '/refusing',
  body: z.object({ text: z.string() }),
  bodyLimit: 2 ** 20,
});

const counted: string[] = [];
const app = createTestApp(
  [
    bind(open, async () => ({})),
    bind(admins, async () => ({})),
    bind(echo, async () => ({})),
    bind(refusing, async ({ body }) => {
      throw new Problem('invalid_request', `not known: ${body.text}`);
    }),
  ],
  {
    authenticate: {
      bearer: async authorization => {
        if (!authorization) throw new Problem('unauthenticated', 'A bearer token is required.');
        const role = authorization.split(' ')[1] as Role;
        return { subject: role, issuer: 'instance', role, secureSessionAge: null };
      },
    },
    limits: {
      ...NO_LIMITS,
      consume: async policy => {
        counted.push(policy);
        return {
          quota: 9,
          window: 60,
          remaining: 9 - counted.length,
          resetsIn: 60,
          exceeded: counted.length > 3,
        };
      },
    },
  },
);

const names = (count: number, name = 'k'): string =>
  Array.from({ length: count }, (_, n) => `"${name}${n}":1`).join();
const post = (path: string, body: string, role?: string) => {
  const sent = request(app).post(path).set('Content-Type', 'application/json');
  return (role ? sent.set('Authorization', `Bearer ${role}`) : sent).send(body);
};
beforeEach(() => {
  validated = 0;
  counted.length = 0;
});

const LONG = 'x'.repeat(1_000_000);

test.each<readonly [string, string]>([
  ['200,000 unknown names', `{"rows":[],${names(200_000)}}`],
  [
    'a thousand unknown names in each of a hundred rows',
    `{"rows":[${Array(100)
      .fill(`{${names(999)}}`)
      .join()}]}`,
  ],
  ['long unknown names', `{"rows":[],${names(3, LONG)}}`],
  ['a long unknown name in a row', `{"rows":[{"id":"a","amount":1,"${LONG}":1}]}`],
  ['a million rows that are none', `{"rows":[${'0,'.repeat(1_000_000)}0]}`],
  ['a thousand rows that are none', `{"rows":[${'0,'.repeat(999)}0]}`],
  [
    'a thousand rows of which nothing is right',
    `{"rows":[${Array(1_000).fill('{"id":1,"amount":{},"a":1,"b":1}').join()}]}`,
  ],
  ['a long text', `{"rows":[{"id":"${LONG}","amount":"${LONG}"}]}`],
  ['a long name that must not be', `{"rows":[{"${LONG}":{"__proto__":1}}]}`],
  ['a long name twice', `{"${LONG}":1,"${LONG}":2}`],
  ['deep nesting', `${'[{"a":'.repeat(200_000)}1${'}]'.repeat(200_000)}`],
  ['names that are long once they are escaped', `{"rows":[],${names(40, '~/'.repeat(10_000))}}`],
])('the answer to %s is small', async (_what, body) => {
  const { status, text } = await post('/open', body);
  const problem = JSON.parse(text) as ProblemDocument;
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(40_000);
  expect(problem.detail.length).toBeLessThanOrEqual(1_000);
  if (problem.code === 'invalid_request') {
    expect(problem.errors!.length).toBeGreaterThan(0);
    expect(problem.errors!.length).toBeLessThanOrEqual(50);
  }
});

test('what looks like structure inside texts, and the largest batch, are taken', async () => {
  const text = '[{,"\\\\'.repeat(20_000);
  const told = (await post('/refusing', JSON.stringify({ text }))).body as ProblemDocument;
  expect(told.detail).toContain('not known: [{,"');
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ id: `${n}`, amount: n }));
  expect((await post('/open', JSON.stringify({ rows }))).status).toBe(200);
});

test('what is wrong is named, the first fifty faults of it', async () => {
  const few = (await post('/open', '{"rows":[{"id":1,"amount":2,"c":3}],"d":4}')).body as ProblemDocument;
  expect(few.errors!.map(({ pointer }) => pointer)).toEqual(['/body/rows/0/id', '/body/rows/0/c', '/body/d']);
  const many = (await post('/open', `{"rows":[],${names(100)}}`)).body as ProblemDocument;
  expect(many.errors!.map(({ pointer }) => pointer)).toEqual(
    Array.from({ length: 50 }, (_, n) => `/body/k${n}`),
  );
});

test('a problem of a handler that repeats what was sent is small too', async () => {
  const { status, text } = await post('/refusing', JSON.stringify({ text: '\u{1f600}'.repeat(200_000) }));
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(3_000);
  expect((JSON.parse(text) as ProblemDocument).detail).toMatch(/^not known: .*…$/u);
});

test('a thousand parameters are answered in few words', async () => {
  const query = Array.from({ length: 2_000 }, (_, n) => `k${n}=1`).join('&');
  const { status, text } = await request(app).get(`/echo?a=${'b'.repeat(200)}&${query}`);
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(40_000);
});

test('the body of a caller who may not call is not looked at', async () => {
  const huge = `{"rows":[],${names(200_000)}}`;
  for (const [role, status] of [
    [undefined, 401],
    ['viewer', 403],
    ['finance', 403],
  ] as const) {
    expect((await post('/admins/1', huge, role)).status).toBe(status);
    expect((await post('/admins/1', '{"rows":', role)).status).toBe(status);
  }
  expect([validated, counted]).toEqual([0, ['failures', 'failures']]);
});

test('calls count against the limit before their body is read', async () => {
  for (let n = 0; n < 3; n += 1) expect((await post('/admins/1', '{"rows":', 'admin')).status).toBe(400);
  expect((await post('/admins/1', '{"rows":', 'admin')).status).toBe(429);
  expect(counted).toEqual(['writes', 'writes', 'writes', 'writes']);
  expect((await post('/admins/much-too-long', '{}', 'admin')).status).toBe(400);
  expect(counted).toHaveLength(4);
});
