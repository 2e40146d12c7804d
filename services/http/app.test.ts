import type { Express } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { EngineAccessDenied } from '../../contracts/engine/engine-access-denied';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { endpoint } from '../../contracts/http/endpoint';
import { WrongExpectedRevision } from '../../contracts/ports/event-store';
import { Problem } from '../../contracts/problem/problem';
import { createTestApp } from '../../test/app';
import type { AppOptions } from './app';
import { bind } from './binding';
import { Reply } from './call';
import { writtenNumber } from '../../contracts/text/written-number';

const transfer = endpoint({
  group: 'Toy',
  method: 'POST',
  path: '/transfers/{network}',
  aliases: ['/old/transfers/{network}'],
  summary: 'Echoes a transfer',
  params: z.object({ network: z.enum(['mainnet', 'testnet']) }),
  body: z.strictObject({
    to: z.string().min(1),
    amount: z.string().regex(/^\d+$/, 'a decimal integer'),
    deep: z.json().optional(),
  }),
  response: z.object({ to: z.string(), network: z.string() }),
  responseHeaders: { 'X-Ledger-Position': 'Position' },
});
const latest = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/transfers/latest',
  summary: 'A literal path that also matches a parameter',
  query: z.object({ limit: writtenNumber.int().min(1).max(100).default(16) }),
  response: z.object({ limit: z.number() }),
});
const guarded = endpoint({
  group: 'Toy',
  method: 'POST',
  path: '/guarded',
  summary: 'Needs a token',
  auth: 'bearer',
  body: z.strictObject({}),
  response: z.object({ subject: z.string() }),
});
const broken = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/broken',
  summary: 'Fails',
  response: z.object({}),
});

const unavailable = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/unavailable',
  summary: 'Needs an engine that is not available',
  response: z.object({}),
});

const conflicting = endpoint({
  group: 'Toy',
  method: 'POST',
  path: '/conflicting',
  summary: 'Changes what others change',
  response: z.object({}),
});

const pending = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/pending/{code}',
  summary: 'Does as much as it may, or waits for another server',
  params: z.object({ code: z.enum(['exchange_order_pending', 'exchange_unavailable', 'bodies_exhausted']) }),
  errors: ['exchange_order_pending', 'exchange_unavailable', 'bodies_exhausted'],
  response: z.object({}),
});

const denied = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/denied',
  summary: 'Needs an engine that denies access',
  response: z.object({}),
});

const early = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/early',
  summary: 'Reads what is not known yet',
  errors: ['not_ready'],
  response: z.object({}),
});

function toyApp(options: Partial<AppOptions> = {}): Express {
  return createTestApp(
    [
      bind(
        transfer,
        async ({ params, body }) =>
          new Reply({ to: body.to, network: params.network }, { 'X-Ledger-Position': '7' }),
      ),
      bind(latest, async ({ query }) => query),
      bind(guarded, async ({ principal }) => ({ subject: principal!.subject })),
      bind(unavailable, async () => {
        throw new EngineUnavailable('event store', 'connection refused at 10.0.0.7');
      }),
      bind(conflicting, async () => {
        throw new WrongExpectedRevision('stream', 1, 2);
      }),
      bind(pending, async ({ params: { code } }) => {
        throw new Problem(code, 'Try again.', { retryAfter: 1 });
      }),
      bind(denied, async () => {
        throw new EngineAccessDenied('event store', 'it rejects the credentials of 10.0.0.7');
      }),
      bind(early, async () => {
        throw Problem.unavailable('The account has not been read yet.', 2);
      }),
      bind(broken, async () => {
        throw new Error('secret detail of the inside');
      }),
    ],
    {
      authenticate: {
        bearer: async authorization => {
          if (authorization !== 'Bearer good') throw new Problem('unauthenticated', 'No good token.');
          return { subject: 'ann', issuer: 'instance', role: 'admin', secureSessionAge: null };
        },
      },
      ...options,
    },
  );
}

describe('the app', () => {
  const app = toyApp();
  const post = (body: string, type = 'application/json') =>
    request(app).post('/transfers/mainnet').set('Content-Type', type).send(body);

  it('answers by path and by alias, with the headers of the handler', async () => {
    for (const path of ['/transfers/testnet', '/old/transfers/testnet']) {
      const answer = await request(app).post(path).send({ to: 'bob', amount: '5' }).expect(200);
      expect(answer.body).toEqual({ to: 'bob', network: 'testnet' });
      expect(answer.headers['x-ledger-position']).toBe('7');
    }
  });

  it('prefers a literal path to a parameter', async () => {
    await request(app).get('/transfers/latest?limit=3').expect(200, { limit: 3 });
  });

  it('keeps a well-formed request id and replaces any other', async () => {
    const same = await request(app).get('/transfers/latest').set('X-Request-Id', 'abc-1');
    expect(same.headers['x-request-id']).toBe('abc-1');
    const replaced = await request(app).get('/transfers/latest').set('X-Request-Id', '<script>');
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['text that is not JSON', '{"to":', 400, 'invalid_json', undefined],
    ['no body', '', 400, 'invalid_request', '/body/to'],
    ['null', 'null', 400, 'invalid_request', '/body'],
    ['a wrong type', '{"to":5,"amount":"1"}', 400, 'invalid_request', '/body/to'],
    ['a missing field', '{"to":"bob"}', 400, 'invalid_request', '/body/amount'],
    ['an unknown field', '{"to":"bob","amount":"1","role":"admin"}', 400, 'invalid_request', '/body/role'],
    ['an operator object', '{"to":{"$ne":null},"amount":"1"}', 400, 'invalid_request', '/body/to'],
    [
      'a prototype key',
      '{"to":"bob","amount":"1","__proto__":{"x":1}}',
      400,
      'invalid_request',
      '/body/__proto__',
    ],
    [
      'a nested prototype key',
      '{"to":"bob","amount":"1","deep":{"constructor":1}}',
      400,
      'invalid_request',
      '/body/deep/constructor',
    ],
    [
      'nesting beyond the limit',
      `{"to":"bob","amount":"1","deep":${'['.repeat(40)}${']'.repeat(40)}}`,
      400,
      'invalid_request',
      undefined,
    ],
    [
      'a body past the limit',
      JSON.stringify({ to: 'x'.repeat(70_000), amount: '1' }),
      413,
      'body_too_large',
      undefined,
    ],
  ])('refuses %s', async (_what, body, status, code, pointer) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.type).toBe('application/problem+json');
    expect(answer.body).toMatchObject({ status, code, ok: false, error: code });
    if (pointer)
      expect(answer.body.errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer);
  });

  it('says in words what is wrong', async () => {
    expect((await post('{"to":')).body.detail).toBe('The body cannot be read: it is not JSON.');
    expect((await post('{"to":"bob"}')).body.detail).toBe('/body/amount: is missing');
  });

  it('refuses a body of another media type, an unknown network, a bad percent sign and a repeated query', async () => {
    expect((await post('to=bob', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect(
      (await request(app).post('/transfers/devnet').send({ to: 'b', amount: '1' })).body.errors[0].pointer,
    ).toBe('/path/network');
    expect((await request(app).post('/transfers/%E0%A4%A').send({})).status).toBe(400);
    expect((await request(app).get('/transfers/latest?limit=1&limit=2')).status).toBe(400);
  });

  it.each([
    [
      'a text that is not UTF-8',
      Buffer.from('{"to":"Caf\xe9","amount":"1"}', 'latin1'),
      'invalid_json',
      undefined,
    ],
    ['a member twice', '{"to":"bob","amount":"1","to":"eve"}', 'invalid_request', '/body/to'],
    [
      'a member twice at depth, written in two ways',
      '{"to":"bob","amount":"1","deep":[{"a/b":1,"\\u0061/b":1}]}',
      'invalid_request',
      '/body/deep/0/a~1b',
    ],
  ])('refuses a body that programs read differently: %s', async (_what, body, code, pointer) => {
    const { text } = await post(JSON.stringify({ to: 'bob', amount: '1' })).expect(200);
    expect(text).toContain('bob');
    // supertest would write a Buffer as JSON.
    const answer = await request(app)
      .post('/transfers/mainnet')
      .set('Content-Type', 'application/json')
      .serialize(given => given as string)
      .send(body);
    expect(answer.body).toMatchObject({ status: 400, code });
    if (pointer) expect(answer.body.errors).toMatchObject([{ pointer, code: 'repeated_member' }]);
  });

  it.each(['utf-7', 'UTF-16', 'utf-16le', 'utf-32', 'iso-8859-1', 'us-ascii', '"utf-7"', 'nonsense'])(
    'takes JSON in no charset but UTF-8: %s',
    async charset => {
      const answer = await post('{"to":"bob","amount":"1"}', `application/json; a=b; Charset=${charset}`);
      expect(answer.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    },
  );

  it.each(['UTF-8', '"utf-8"', 'utf8'])(
    'takes JSON in UTF-8, with and without a byte order mark: %s',
    async charset => {
      for (const mark of ['', '\ufeff'])
        await post(`${mark}{"to":"bob","amount":"1"}`, `application/vnd.a+json;charset=${charset}`).expect(
          200,
        );
    },
  );

  it('answers 405 with Allow on a known path and 404 elsewhere', async () => {
    const wrong = await request(app).get('/guarded').expect(405);
    expect(wrong.headers.allow).toBe('POST');
    expect((await request(app).get('/nothing')).body.code).toBe('not_found');
  });

  it('checks the token before the body', async () => {
    const answer = await request(app)
      .post('/guarded')
      .set('Content-Type', 'application/json')
      .send('{broken');
    expect(answer.body.code).toBe('unauthenticated');
    await request(app)
      .post('/guarded')
      .set('Authorization', 'Bearer good')
      .send({})
      .expect(200, { subject: 'ann' });
  });

  it('shows no internals when it fails', async () => {
    const answer = await request(app).get('/broken').expect(500);
    expect(answer.text).not.toContain('secret detail');
    expect(answer.body.code).toBe('internal');
  });

  it('logs a failure as an error, and what has not been read yet, or an engine does not answer, not as one', async () => {
    const lines: string[] = [];
    const logged = toyApp({ logger: pino({ level: 'debug' }, { write: line => void lines.push(line) }) });
    await request(logged).get('/early').expect(503);
    await request(logged).get('/broken').expect(500);
    await request(logged).get('/unavailable').expect(503);
    expect(lines.map(line => /"level":(\d+)/.exec(line)![1])).toEqual(['20', '50', '20']);
  });

  it('logs what any caller can bring about as no error', async () => {
    const lines: string[] = [];
    const logged = toyApp({ logger: pino({ level: 'info' }, { write: line => void lines.push(line) }) });
    for (const code of ['exchange_order_pending', 'exchange_unavailable', 'bodies_exhausted'])
      await request(logged).get(`/pending/${code}`).expect(503);
    expect((await request(logged).post('/conflicting').expect(409)).body.code).toBe('version_conflict');
    expect(lines).toEqual([]);
  });

  it('names the engine that is unavailable and when to retry, but not its address', async () => {
    const answer = await request(app).get('/unavailable').expect(503);
    expect(answer.body).toMatchObject({ code: 'engine_unavailable', ok: false });
    expect(answer.body.detail).toContain('event store');
    expect(answer.text).not.toContain('10.0.0.7');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('says that an engine denies access, without inviting a retry', async () => {
    const answer = await request(app).get('/denied').expect(503);
    expect(answer.body).toMatchObject({ code: 'engine_access_denied', ok: false });
    expect(answer.body.detail).toContain('event store');
    expect(answer.text).not.toContain('10.0.0.7');
    expect(answer.headers['retry-after']).toBeUndefined();
  });

  it('documents every path and alias, and serves the pages', async () => {
    const document = (await request(app).get('/openapi.json').expect(200)).body;
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/transfers/{network}',
        '/old/transfers/{network}',
        '/transfers/latest',
        '/guarded',
      ]),
    );
    expect(document.paths['/transfers/{network}'].post.parameters[0]).toMatchObject({
      name: 'network',
      in: 'path',
      required: true,
    });
    expect((await request(app).get('/docs').expect(200)).text).toContain('/docs/start.js');
    await request(app).get('/docs/assets/swagger-ui-bundle.js').expect(200);
  });

  it.each([
    [0, 1],
    [1, 0],
  ])('warns once of proxies when it trusts %i', async (trustedProxies, warnings) => {
    const lines: string[] = [];
    const proxied = toyApp({
      logger: pino({ level: 'warn' }, { write: line => lines.push(line) }),
      trustedProxies,
    });
    for (let i = 0; i < 3; i++)
      await request(proxied).get('/transfers/latest').set('X-Forwarded-For', '192.0.2.1').expect(200);
    expect(lines.filter(line => line.includes('TRUSTED_PROXIES is 0'))).toHaveLength(warnings);
  });

  it('refuses to mount one path twice', () => {
    expect(() =>
      createTestApp([bind(latest, async () => ({ limit: 1 })), bind(latest, async () => ({ limit: 1 }))]),
    ).toThrow('bound twice');
  });
});
