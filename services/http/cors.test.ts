import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import { createTestApp } from '../../test/app';
import { endedFeed } from '../../test/ended-feed';
import { bind } from './binding';

const common = { group: 'Toy', summary: 'Toy' };
const note = endpoint({
  ...common,
  method: 'POST',
  path: '/notes',
  aliases: ['/old/notes'],
  cors: true,
  errors: ['rate_limited'],
  bodyLimit: 1_000,
  body: z.object({ text: z.string() }),
  response: z.object({ text: z.string() }),
});
const ticks = endpoint({ ...common, method: 'GET', path: '/notes', kind: 'sse', cors: true });
const secret = endpoint({ ...common, method: 'GET', path: '/secret' });
const one = endpoint({ ...common, method: 'GET', path: '/notes/{id}', operationId: 'getNote', cors: true });
const locked = endpoint({ ...common, method: 'POST', path: '/secret' });

const app = createTestApp([
  bind(note, async ({ body }) => {
    if (body.text === 'often') throw new Problem('rate_limited', 'Too often.', { retryAfter: 7 });
    if (body.text === 'fail') throw new Error('inside');
    return body;
  }),
  bind(ticks, async () => endedFeed()),
  bind(secret, async () => {
    throw new Error('inside');
  }),
  bind(one, async () => undefined),
  bind(locked, async () => undefined),
]);

const post = (text: string) =>
  request(app).post('/notes').set('Origin', 'https://app.example').send({ text });

test.each([
  [200, 'an answer', () => post('a')],
  [200, 'that of an alias', () => request(app).post('/old/notes').send({ text: 'a' })],
  [200, 'an event stream', () => request(app).get('/notes')],
  [400, 'an invalid request', () => request(app).post('/notes').send({})],
  [404, 'an unknown path', () => request(app).get('/unknown')],
  [400, 'a path that cannot be decoded', () => request(app).get('/notes/%ff')],
  [405, 'another method', () => request(app).put('/notes')],
  [413, 'a body that is too large', () => post('a'.repeat(2_000))],
  [429, 'a limit', () => post('often')],
  [500, 'a fault', () => post('fail')],
])('a page of another origin can read a %i: %s', async (status, _what, send) => {
  const { headers } = await send().expect(status);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-expose-headers']).toContain('Retry-After, X-Ledger-Position');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

test('a preflight allows the methods of the path and the headers of event sources, for a day', async () => {
  const { headers } = await request(app).options('/notes').expect(204);
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST, GET',
    'access-control-allow-headers': expect.stringContaining('Content-Type, Last-Event-ID') as string,
    'access-control-max-age': '86400',
  });
  // Which the wallet app and libraries add to requests.
  expect(headers['access-control-allow-headers']).toMatch(/Cache-Control, X-Requested-With/);
});

test('without the field, no page of another origin can call or read', async () => {
  const answered = await request(app).get('/secret').expect(500);
  expect(answered.headers).not.toHaveProperty('access-control-allow-origin');
  // Not 2xx: the browser does not send the request.
  await request(app).options('/secret').expect(405);
});
