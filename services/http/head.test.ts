import { createServer } from 'node:http';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { pino } from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createApp } from './app';
import { bind } from './binding';
import { Reply } from './call';

const page = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/page',
  summary: 'Answers',
  response: z.object({}),
  responseHeaders: { 'X-Ledger-Position': 'Position' },
});
const app: Express = createApp([bind(page, async () => new Reply({}, { 'X-Ledger-Position': '7' }))], {
  logger: pino({ level: 'silent' }),
  trustedProxies: 0,
  checkResponses: true,
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
