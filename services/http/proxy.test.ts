import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import { bind } from './binding';
import { createAppServer } from './server';

const rpc = endpoint({
  group: 'Toy',
  method: 'POST',
  path: '/rpc/{network}',
  kind: 'proxy',
  summary: 'Forwards to a node',
  params: z.object({ network: z.enum(['mainnet', 'testnet']) }),
  bodyLimit: 1_000,
});
const search = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/search',
  kind: 'proxy',
  summary: 'Forwards a search',
  query: z.object({ text: z.string() }),
});

let upstream: Server;
let seen: IncomingMessage[];
let answer: RequestListener;
let server: Server;

beforeEach(async () => {
  seen = [];
  upstream = createServer((incoming, outgoing) => {
    seen.push(incoming);
    answer(incoming, outgoing);
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const app = createTestApp([
    bind(rpc, async ({ params }) => ({
      url: `${url}/${params.network}`,
      headers: { 'X-Api-Key': 'secret' },
    })),
    bind(search, async ({ query }) => ({ url: `${url}/?q=${encodeURIComponent(query.text)}` })),
  ]);
  server = createAppServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const each of [server, upstream]) {
    each.closeAllConnections();
    await new Promise(resolve => each.close(resolve));
  }
});

const echo: RequestListener = (incoming, outgoing) => {
  outgoing.writeHead(201, {
    'Content-Type': 'text/plain',
    'X-Node': 'n1',
    'Set-Cookie': 'a=b',
    'X-Frame-Options': 'DENY',
  });
  incoming.pipe(outgoing);
};

it('forwards method, body and headers, and the response as it is', async () => {
  answer = echo;
  const response = await request(server)
    .post('/rpc/mainnet')
    .set({ 'Content-Type': 'text/plain', 'X-Trace': 't1', Authorization: 'Bearer mine', Cookie: 'c=d' })
    .send('getLastBlock')
    .expect(201, 'getLastBlock');
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/mainnet' });
  expect(seen[0]!.headers).toMatchObject({
    'x-trace': 't1',
    'x-api-key': 'secret',
    'content-type': 'text/plain',
  });
  expect(seen[0]!.headers).not.toHaveProperty('authorization');
  expect(seen[0]!.headers).not.toHaveProperty('cookie');
  expect(response.headers).toMatchObject({ 'x-node': 'n1', 'content-type': 'text/plain' });
  expect(response.headers).not.toHaveProperty('set-cookie');
  expect(response.headers['x-frame-options']).toBe('SAMEORIGIN');
  expect(response.headers['x-request-id']).toBeTruthy();
});

it('validates path and query first', async () => {
  answer = echo;
  await request(server).post('/rpc/devnet').send('x').expect(400);
  await request(server).get('/search').expect(400);
  expect(seen).toHaveLength(0);
  await request(server).get('/search?text=a%20b').expect(201);
  expect(seen[0]!.url).toBe('/?q=a%20b');
});

it('passes on errors of the server behind it, and answers 502 when it is unreachable', async () => {
  answer = (_incoming, outgoing) => outgoing.writeHead(500).end('broken');
  await request(server).post('/rpc/mainnet').send('x').expect(500, 'broken');
  answer = incoming => incoming.socket.destroy();
  const refused = await request(server).post('/rpc/mainnet').send('x').expect(502);
  expect(refused.body.code).toBe('upstream_unavailable');
});

it.each<[string, () => NonNullable<RequestInit['body']>]>([
  ['an announced', () => 'x'.repeat(5_000)],
  ['a chunked', () => ReadableStream.from(['x'.repeat(900), 'x'.repeat(900)].map(text => Buffer.from(text)))],
])('refuses %s body that is too large', async (_, bodyOf) => {
  answer = (incoming, outgoing) => {
    incoming.resume().on('error', () => undefined);
    incoming.on('end', () => outgoing.end());
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc/mainnet`;
  const response = await fetch(url, { method: 'POST', body: bodyOf(), duplex: 'half' } as RequestInit);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    413,
    'body_too_large',
  ]);
});

it('ends the request upstream when the client disconnects', async () => {
  answer = () => undefined;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new AbortController();
  const pending = fetch(`${url}/rpc/mainnet`, { method: 'POST', body: 'x', signal: client.signal });
  pending.catch(() => undefined);
  await until(() => seen.length === 1);
  client.abort();
  await until(() => seen[0]!.destroyed && seen[0]!.socket.destroyed);
  await expect(pending).rejects.toThrow();
});
