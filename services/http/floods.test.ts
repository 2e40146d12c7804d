import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import { bind } from './binding';
import { EventFeed, Frame } from './event-feed';
import { createAppServer } from './server';

const common = { group: 'Toy', summary: 'Toy' } as const;
const posted = endpoint({
  ...common,
  method: 'POST',
  path: '/posted',
  body: z.object({ text: z.string() }),
  response: z.object({ length: z.number() }),
});
const waiting = endpoint({ ...common, method: 'GET', path: '/waiting', response: z.object({}) });
const ticks = endpoint({ ...common, method: 'GET', path: '/ticks', kind: 'sse', response: z.object({}) });
const large = endpoint({ ...common, method: 'GET', path: '/large', kind: 'raw', response: z.string() });
const talking = endpoint({
  ...common,
  method: 'GET',
  path: '/talk',
  kind: 'websocket',
  body: z.object({ text: z.string() }),
  response: z.object({ text: z.string() }),
});

let server: Server;
let port: number;
let requests: number;
let refused: number;
let broken: number;
let streams: number;
const sockets: Socket[] = [];
beforeEach(async () => {
  requests = refused = broken = streams = 0;
  const app = createTestApp(
    [
      bind(posted, async ({ body }) => ({ length: body.text.length })),
      bind(waiting, () => new Promise(() => undefined)),
      bind(ticks, async () => {
        const source = { drained: () => undefined, closed: () => (streams -= 1) };
        const open = () => {
          streams += 1;
          return source;
        };
        return new EventFeed(open, new Frame(': heartbeat\n\n'));
      }),
      bind(large, async () => 'x'.repeat(100_000)),
      bind(talking, async (_call, socket) => {
        for await (const message of socket.messages) await socket.send(message);
      }),
    ],
    {
      onBroken: () => (broken += 1),
      connectionLimits: { total: 0, perCaller: 1 },
      unsentLimits: { perCaller: 1_000_000, total: 10_000_000, drainMs: 3_600_000 },
    },
  );
  server = createAppServer(app, { onRefused: () => (refused += 1) });
  for (const event of ['request', 'checkExpectation']) server.on(event, () => (requests += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise(resolve => server.close(resolve));
});

function raw(sent: string | Buffer): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(sent);
  sockets.push(socket);
  return socket;
}

async function isServed(text = 'honest'): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/posted`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  expect(await response.json()).toEqual({ length: text.length });
}

const CHUNKED = 'Host: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('a body in parts', () => {
  const bodyOf = (length: number): string => JSON.stringify({ text: 'x'.repeat(length) });

  it.each([
    ['that is read', 'POST /posted'],
    ['that nobody reads', 'GET /waiting'],
    ['of a path that does not exist', 'POST /nothing'],
  ])('%s ends its connection where they are many and tiny', async (_what, line) => {
    const socket = raw(`${line} HTTP/1.1\r\n${CHUNKED}${chunk(' ').repeat(5_000)}`);
    await once(socket, 'close');
    expect(refused).toBe(1);
    await isServed();
  });

  it.each([
    ['a few tiny ones', [...bodyOf(20)]],
    ['many that are larger', bodyOf(60_000).match(/.{1,300}/g)!],
  ])('is read in %s', async (_what, parts) => {
    const socket = raw(`POST /posted HTTP/1.1\r\nConnection: close\r\n${CHUNKED}`);
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    for (const part of parts) socket.write(chunk(part));
    socket.write('0\r\n\r\n');
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(refused).toBe(0);
  });
});

it('a connection that was ended takes nothing from the next ones', async () => {
  const rest = '0\r\n\r\nGET /waiting HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
  for (let n = 0; n < 20; n += 1) {
    const socket = raw(`POST /posted HTTP/1.1\r\n${CHUNKED}${chunk(' ').repeat(200)}${rest}`);
    const served = [isServed(), isServed('x'.repeat(30_000))];
    await once(socket, 'close');
    await Promise.all([...served, isServed()]);
  }
  expect(refused).toBe(20);
});

describe('requests that are sent at once, many more than a connection may have', () => {
  it.each([
    ['usual ones', 'GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['without a host', 'GET /waiting HTTP/1.1\r\n\r\n'],
    ['that expect something', 'GET /waiting HTTP/1.1\r\nHost: a\r\nExpect: something\r\n\r\n'],
    ['that wait for a continue', 'GET /waiting HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n'],
  ])('are not made: %s', async (_what, text) => {
    const socket = raw(text.repeat(1_000));
    await once(socket, 'close');
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThan(70);
    await isServed();
  });
});

describe('an answer that waits behind another one on its connection', () => {
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  it('ends with the connection: a stream leaves its place to the next', async () => {
    const socket = raw(get('/waiting') + get('/ticks'));
    await until(() => streams === 1);
    const { status } = await fetch(`http://127.0.0.1:${port}/ticks`);
    expect(status).toBe(429);
    socket.destroy();
    await until(() => streams === 0);
    const response = await fetch(`http://127.0.0.1:${port}/ticks`);
    expect(response.status).toBe(200);
    await response.body!.cancel();
  });

  it('is closed with its connection where too much waits for its caller', async () => {
    const socket = raw(get('/waiting') + get('/large').repeat(30));
    await once(socket, 'close');
    await isServed();
  });

  it('counts with the memory that it takes, however short it is', async () => {
    const all = [0, 1, 2].map(() => raw(get('/waiting') + get('/nothing').repeat(60)));
    await Promise.race(all.map(socket => once(socket, 'close')));
    await isServed();
  });
});

/** Masked with zeros. */
const frame = (opcode: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
const UPGRADE =
  'GET /talk HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

async function floodedSocket(one: Buffer): Promise<void> {
  const socket = raw(UPGRADE);
  await once(socket, 'data');
  socket.write(Buffer.concat(Array<Buffer>(1_000).fill(one)));
  await once(socket, 'close');
}

/** A WebSocket whose messages come back. */
async function talk(): Promise<() => Promise<void>> {
  const client = new WebSocket(`ws://127.0.0.1:${port}/talk`);
  await once(client, 'open');
  sockets.push((client as unknown as { _socket: Socket })._socket);
  return async () => {
    const answer = once(client, 'message') as Promise<[Buffer]>;
    client.send('{"text":"honest"}');
    expect(String((await answer)[0])).toBe('{"text":"honest"}');
  };
}

it.each([
  ['messages', frame(1, '{"text":"x"}')],
  ['pings', frame(9, '')],
  ['pongs', frame(10, '')],
  ['messages after an invalid one', frame(1, '')],
])('a WebSocket with hundreds of %s at once is closed', async (_what, one) => {
  await floodedSocket(one);
  await until(() => broken === 1);
});

it('what a connection sends at once, much more than any client does, ends it, while another client is served', async () => {
  const talks = await talk();
  await Promise.all([
    floodedSocket(frame(1, '{"text":"x"}')),
    once(raw('GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000)), 'close'),
    once(raw(`POST /posted HTTP/1.1\r\n${CHUNKED}${chunk(' ').repeat(5_000)}`), 'close'),
    talks(),
    isServed(),
  ]);
  await talks();
  expect(refused).toBe(2);
});
