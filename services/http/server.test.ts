import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { pino } from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createApp } from './app';
import { bind } from './binding';
import { createAppServer } from './server';

const caller = endpoint({
  group: 'Toy',
  method: 'POST',
  path: '/callers/{name}',
  summary: 'Echoes the request and its address',
  params: z.object({ name: z.string() }),
  query: z.object({ limit: z.coerce.number().default(16) }),
  body: z.object({ to: z.string() }),
  response: z.object({ name: z.string(), limit: z.number(), to: z.string(), ip: z.string() }),
});

function open(): { server: Server; app: ReturnType<typeof createApp> } {
  const app = createApp(
    [bind(caller, async ({ params, query, body, ip }) => ({ ...params, ...query, ...body, ip }))],
    { logger: pino({ level: 'silent' }), trustedProxies: 1, checkResponses: true },
  );
  return { app, server: createAppServer(app) };
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
