import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { pino } from 'pino';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createTestApp } from '../../test/app';
import { runs } from '../../test/random';
import { bind } from './binding';
import { createAppServer } from './server';

const group = 'Toy';
const echo = endpoint({
  group,
  method: 'POST',
  path: '/echo',
  summary: 'Echoes a body',
  body: z.object({ text: z.string() }),
  response: z.object({ text: z.string() }),
});
const ticks = endpoint({
  group,
  method: 'GET',
  path: '/ticks',
  kind: 'websocket',
  summary: 'Ticks',
  bodyLimit: 100,
  response: z.object({ tick: z.number() }),
});

let server: Server;
let port: number;
const failures = jest.fn();
beforeAll(async () => {
  const logger = pino({ level: 'error' }, { write: failures });
  const bindings = [
    bind(echo, async ({ body }) => body),
    bind(ticks, async (_call, { messages }) => {
      for await (const _ of messages);
    }),
  ];
  server = createAppServer(createTestApp(bindings, { logger, trustedProxies: 1 })).listen(0, '127.0.0.1');
  // An error thrown by a listener would end the process; within Jest nothing shows it.
  const emit = server.emit.bind(server);
  server.emit = (...event: [string]) => {
    try {
      return emit(...event);
    } catch (error) {
      failures(error);
      throw error;
    }
  };
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => new Promise(resolve => server.close(resolve)));

const BODIES = [
  '',
  '{"text":"one"}',
  '{',
  'e\r\n{"text":"one"}\r\n0\r\n\r\n',
  '\x89\x80\0\0\0\0',
  '\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff',
];
const FIELDS = [
  ...['Upgrade', 'close', 'keep-alive, Upgrade', 'Upgrade, close'].map(value => `Connection: ${value}`),
  ...['websocket', 'WebSocket', 'h2c', 'h2c, websocket'].map(value => `Upgrade: ${value}`),
  ...['13', '99'].map(value => `Sec-WebSocket-Version: ${value}`),
  ...['dGhlIHNhbXBsZSBub25jZQ==', 'short'].map(value => `Sec-WebSocket-Key: ${value}`),
  'Sec-WebSocket-Extensions: permessage-deflate',
  'Transfer-Encoding: chunked',
  ...['0', '14', '5', '-1'].map(value => `Content-Length: ${value}`),
  ...['100-continue', 'more'].map(value => `Expect: ${value}`),
  'Content-Type: application/json',
  ...['gzip', 'br', 'none'].map(value => `Content-Encoding: ${value}`),
  'Authorization: Bearer a.b.c',
  'X-Forwarded-For: \xfc, ::1',
];

const oneRequest = fc
  .record({
    line: fc.constantFrom(
      'GET /ticks',
      'GET /docs',
      'POST /echo',
      'POST /ticks',
      'HEAD /none',
      'CONNECT a:1',
      'GET //',
      'GET /%ff',
    ),
    version: fc.constantFrom('1.1', '1.1', '1.0'),
    fields: fc.oneof(
      fc.constantFrom<string[]>([], ['Connection: Upgrade', 'Upgrade: websocket']),
      fc.subarray(FIELDS, { maxLength: 5 }),
    ),
    body: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...BODIES)),
  })
  .map(
    ({ line, version, fields, body }) =>
      `${line} HTTP/${version}\r\nHost: a\r\n${fields.map(field => `${field}\r\n`).join('')}\r\n${body}`,
  );

/** Requests on one connection, the next before the answer to the last; a byte of them may be any other. */
const bytesOfClient = fc
  .tuple(fc.array(oneRequest, { minLength: 1, maxLength: 4 }), fc.option(fc.tuple(fc.nat(300), fc.nat(255))))
  .map(([requests, damage]) => {
    const bytes = Buffer.from(requests.join(''), 'latin1');
    if (damage && damage[0] < bytes.length) bytes[damage[0]] = damage[1];
    return bytes;
  });

it('whatever a client sends on a connection, the server goes on, and none of its own faults is to blame', () =>
  fc.assert(
    fc.asyncProperty(bytesOfClient, fc.nat(300), async (bytes, cut) => {
      failures.mockClear();
      const socket = connect({ port, host: '127.0.0.1' });
      // Reset by the server where it destroys the connection.
      socket.on('error', () => undefined).resume();
      socket.write(bytes.subarray(0, cut));
      await new Promise(resolve => setImmediate(resolve));
      socket.write(bytes.subarray(cut));
      const answer = await fetch(`http://127.0.0.1:${port}/echo`, {
        method: 'POST',
        body: '{"text":"two"}',
        headers: { 'Content-Type': 'application/json' },
      });
      expect(await answer.json()).toEqual({ text: 'two' });
      socket.destroy();
      expect(failures).not.toHaveBeenCalled();
    }),
    runs(100),
  ));
