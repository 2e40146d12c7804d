import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createTestApp } from '../../test/app';
import type { createApp } from './app';
import { until } from '../../test/until';
import { bind } from './binding';
import { createAppServer, type AppServerOptions } from './server';
import { writtenNumber } from '../../contracts/text/written-number';

const caller = endpoint({
  group: 'Toy',
  method: 'POST',
  path: '/callers/{name}',
  summary: 'Echoes the request and its address',
  params: z.object({ name: z.string() }),
  query: z.object({ limit: writtenNumber.default(16) }),
  body: z.object({ to: z.string() }),
  response: z.object({ name: z.string(), limit: z.number(), to: z.string(), ip: z.string() }),
});

const large = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/large',
  summary: 'More than the buffers of a connection hold',
  response: z.string(),
});

function open(options: AppServerOptions = {}): { server: Server; app: ReturnType<typeof createApp> } {
  const app = createTestApp(
    [
      bind(caller, async ({ params, query, body, ip }) => ({ ...params, ...query, ...body, ip })),
      bind(large, async () => 'x'.repeat(64 * 1024 * 1024)),
    ],
    { trustedProxies: 1 },
  );
  return { app, server: createAppServer(app, options) };
}

it('serves the app: endpoints, problems and pages', async () => {
  const { server } = open();
  await request(server)
    .post('/callers/ann?limit=3')
    .set('X-Forwarded-For', '192.0.2.1')
    .send({ to: 'bob' })
    .expect(200, { name: 'ann', limit: 3, to: 'bob', ip: '192.0.2.1' });
  expect((await request(server).post('/callers/ann').send({}).expect(400)).body.errors).toHaveLength(1);
  await request(server).get('/callers/ann').expect(405);
  await request(server).head('/docs').expect(200, {});
  await request(server).get('/docs/assets/swagger-ui.css').expect(200);
});

it('answers what is under a path as its root, beside a server of all', async () => {
  const { app, server } = open();
  const own = createAppServer(app, { basePath: '/callers' });
  await request(own).post('/ann?limit=3').send({ to: 'bob' }).expect(200);
  await request(own).get('/callers/ann').expect(404);
  await request(own).get('/docs/assets/swagger-ui.css').expect(404);
  await request(server).post('/callers/ann?limit=3').send({ to: 'bob' }).expect(200);
});

it('makes requests and responses that Express need not change', async () => {
  const { app, server } = open();
  const prototypes: unknown[] = [];
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    prototypes.push(Object.getPrototypeOf(incoming), Object.getPrototypeOf(outgoing)),
  );
  await request(server).get('/openapi.json').expect(200);
  expect(prototypes[0]).toBe(app.request);
  expect(prototypes[1]).toBe(app.response);
});

describe('clients that hold connections', () => {
  let server: Server;
  const sockets: Socket[] = [];
  async function listen(options: AppServerOptions): Promise<void> {
    ({ server } = open(options));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
  function client(sent = ''): Socket {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    if (sent !== '') socket.write(sent);
    sockets.push(socket);
    return socket;
  }
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  const HEAD = 'POST /callers/ann HTTP/1.1\r\nHost: localhost\r\n';
  it.each([
    ['nothing', ''],
    ['a part of the head', HEAD],
    ['a part of the body', `${HEAD}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`],
  ])('are cut when they send %s', async (_, sent) => {
    await listen({ headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 });
    expect(await text(client(sent))).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('are cut when they do not read the response', async () => {
    await listen({ inactivityTimeout: 100 });
    const [[accepted]] = await Promise.all([
      once(server, 'connection') as Promise<[Socket]>,
      client('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n').pause(),
    ]);
    await once(accepted, 'close');
  });

  it('are refused and counted over the limit, and others are served once they have left', async () => {
    let refused = 0;
    await listen({ connectionLimits: { total: 2, perCaller: 0 }, onRefused: () => (refused += 1) });
    for (let n = 0; n < 2; n++) await Promise.all([once(client(), 'connect'), once(server, 'connection')]);
    await once(client(), 'close');
    expect(refused).toBe(1);
    const left = once(sockets[0]!, 'close');
    sockets[0]!.destroy();
    await left;
    const open = () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)));
    await until(open, count => count === 1);
    const served = client('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await text(served)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('have little time unless the program says otherwise', () => {
    ({ server } = open());
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(30_000);
    expect(server.timeout).toBeLessThanOrEqual(120_000);
  });
});
