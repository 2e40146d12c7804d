import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express, { type Express } from 'express';
import helmet from 'helmet';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { createTestApp } from '../../test/app';
import { bind } from './binding';
import { Reply } from './call';
import { createPositionReads } from './position-reads';

const page = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/page',
  summary: 'Answers',
  response: z.object({}),
  responseHeaders: { 'X-Ledger-Position': 'Position' },
});
const own = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/own',
  summary: 'Answers each caller with what is its own, as of a position',
  auth: 'bearer',
  minPosition: true,
  response: z.object({ text: z.string() }),
});
const bindings = [
  bind(page, async () => new Reply({}, { 'X-Ledger-Position': '7' })),
  bind(own, async ({ principal }) => ({ text: principal!.subject.repeat(2_000) })),
];
const app: Express = createTestApp(bindings, {
  authenticate: {
    bearer: async subject => {
      if (!subject) throw new Problem('unauthenticated', 'A token is required.');
      return { subject, issuer: 'instance', role: 'admin', secureSessionAge: null };
    },
  },
  limits: createMemoryLimits({}),
  positions: createPositionReads(async () => 7, 0),
  routers: [express.Router().get('/health', (_request, response) => void response.json({}))],
});

describe('every response', () => {
  it.each([
    ['an endpoint', '/page', 200],
    ['another router', '/health', 200],
    ['the documentation', '/docs', 200],
    ['an unknown path', '/nothing', 404],
    ['a malformed path', '/%E0%A4%A', 404],
  ])('of %s carries what helmet sets and the id of the request', async (_what, path, status) => {
    const bare = express().use(
      helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }),
      (_request, response) => void response.end(),
    );
    const {
      date: _,
      connection: __,
      'content-length': ___,
      ...expected
    } = (await request(bare).get('/')).headers;
    const { headers } = await request(app).get(path).set('X-Request-Id', 'abc-1').expect(status);
    expect(headers).toMatchObject({ ...expected, 'x-request-id': 'abc-1' });
    expect(expected['content-security-policy']).toContain("default-src 'self'");
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

it('does not remove headers that the server has set before', async () => {
  const server = createServer(app);
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const { headers, body } = await request(server).get('/page').expect(200);
  expect(headers).toMatchObject({ connection: 'close', 'x-ledger-position': '7' });
  expect(body).toEqual({});
});

describe('Vary', () => {
  const varyOf = async (path: string, headers: Record<string, string>): Promise<string[]> =>
    ((await request(app).get(path).set(headers)).headers['vary'] as string | undefined)?.split(', ') ?? [];

  it('names what an answer depends on', async () => {
    expect(await varyOf('/own', { Authorization: 'ann' })).toEqual([
      'Authorization',
      'X-Min-Position',
      'Accept-Encoding',
    ]);
    expect(await varyOf('/own', {})).toContain('Authorization');
    expect(await varyOf('/own', { Authorization: 'ann', 'X-Min-Position': 'x' })).toContain('X-Min-Position');
  });

  it('is absent where the answer is the same for all', async () => {
    expect(await varyOf('/page', {})).toEqual([]);
  });
});

describe('a request with two Host headers', () => {
  const raw = async (...hosts: readonly string[]): Promise<string> => {
    const server = createServer(app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(['GET /page HTTP/1.1', ...hosts, 'Connection: close', '', ''].join('\r\n'));
    const answer = await text(socket);
    await new Promise(resolve => server.close(resolve));
    return answer;
  };

  it.each([
    ['Host: a.example', 'Host: b.example'],
    ['Host: a.example', 'host: a.example'],
  ])(
    'is refused: which of them counts is another one to each program on the way (%s, %s)',
    async (...hosts) => {
      const answer = await raw(...hosts);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"invalid_request"');
      expect(await raw(hosts[0]!)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});
