import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import { bind } from './binding';
import { EventFeed, Frame } from './event-feed';
import { JsonStream } from './json-stream';
import { createAppServer } from './server';

const common = { group: 'Toy', summary: 'Toy' } as const;
const talk = endpoint({
  ...common,
  method: 'GET',
  path: '/talk',
  kind: 'websocket',
  bodyLimit: 100,
  body: z.object({ text: z.string() }),
  response: z.object({ text: z.string() }),
});
const silent = endpoint({
  ...common,
  method: 'GET',
  path: '/silent',
  kind: 'websocket',
  bodyLimit: 100,
  response: z.object({}),
});
const full = endpoint({ ...common, method: 'GET', path: '/full', kind: 'websocket', response: z.object({}) });
const ticks = endpoint({ ...common, method: 'GET', path: '/ticks', kind: 'sse', response: z.object({}) });
const posted = endpoint({
  ...common,
  method: 'POST',
  path: '/posted',
  body: z.object({ text: z.string() }),
  response: z.object({ text: z.string() }),
});
const rows = endpoint({ ...common, method: 'GET', path: '/rows', response: z.array(z.string()) });
const early = endpoint({
  ...common,
  method: 'GET',
  path: '/early',
  errors: ['not_ready'],
  response: z.object({}),
});

async function* endless() {
  for (;;) yield `"${'x'.repeat(65_000)}",`;
}
const allTicks = () =>
  new EventFeed(stream => {
    const ticking = setInterval(() => stream.write([new Frame('data: {}\n\n')]), 1);
    return { drained: () => undefined, closed: () => clearInterval(ticking) };
  }, new Frame(': heartbeat\n\n'));

let server: Server;
let lines: string[];
let broken: string[];
let port: number;
const sockets: Socket[] = [];
beforeEach(async () => {
  lines = [];
  broken = [];
  const app = createTestApp(
    [
      bind(talk, async (_call, socket) => {
        for await (const message of socket.messages) await socket.send(message);
      }),
      bind(silent, async (_call, { messages }) => {
        for await (const _ of messages);
      }),
      bind(full, async () => {
        throw Problem.unavailable('Not yet.', 1);
      }),
      bind(ticks, async () => allTicks()),
      bind(posted, async ({ body }) => body),
      bind(rows, async () => JsonStream.start(endless()) as never),
      bind(early, async () => {
        throw Problem.unavailable('Not yet.', 1);
      }),
    ],
    {
      logger: pino({ level: 'info' }, { write: line => void lines.push(line) }),
      checkResponses: false,
      onBroken: protocol => void broken.push(protocol),
    },
  );
  server = createAppServer(app, {
    headersTimeout: 300_000,
    requestTimeout: 300_000,
    connectionsCheckingInterval: 20,
    onBroken: () => void broken.push('request'),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise(resolve => server.close(resolve));
});

/** A connection that sends a text, and whatever else. */
function raw(text: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(text);
  sockets.push(socket);
  return socket;
}

const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** A masked text frame. */
const frame = (first: number, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), payload]);

/** A client whose messages come back while others break theirs. */
async function honest(): Promise<() => Promise<void>> {
  const client = new WebSocket(`ws://127.0.0.1:${port}/talk`);
  await once(client, 'open');
  sockets.push((client as unknown as { _socket: Socket })._socket);
  return async () => {
    const answer = once(client, 'message') as Promise<[Buffer]>;
    client.send('{"text":"still here"}');
    expect(String((await answer)[0])).toBe('{"text":"still here"}');
  };
}

describe('a WebSocket that sends an invalid frame', () => {
  it.each(
    ['/talk', '/silent'].flatMap(path =>
      (
        [
          ['without a mask', Buffer.from([0x81, 1, 0x78])],
          ['with a reserved bit', frame(0xc1, Buffer.from('x'))],
          ['of an unknown kind', frame(0x83, Buffer.from('x'))],
          ['that continues nothing', frame(0x80, Buffer.from('x'))],
          ['that is not UTF-8', frame(0x81, Buffer.from([0xff, 0xfe]))],
          ['of a close with a wrong code', frame(0x88, Buffer.from([0, 1]))],
          ['larger than it may be', frame(0x81, Buffer.alloc(120, 'x'))],
        ] as const
      ).map(([what, bytes]) => [path, what, bytes] as const),
    ),
  )('to %s %s is closed and counted, and no line of the log is about it', async (path, _what, bytes) => {
    const talks = await honest();
    const socket = raw(upgrade(path));
    await once(socket, 'data');
    socket.resume().write(bytes);
    await once(socket, 'close');
    await until(() => broken.length > 0, Boolean, 3_000);
    await talks();
    expect(broken).toEqual(['websocket']);
    expect(lines).toEqual([]);
  });
});

describe('a broken request', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a wrong header', 'GET / HTTP/1.1\r\nHost: a\r\nno header\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    [
      'two lengths',
      'POST /posted HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'a wrong chunk',
      'POST /posted HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['a head without end', 'GET / HTTP/1.1\r\nHost: a\r\n', 408],
    [
      'too large a head',
      `GET / HTTP/1.1\r\nHost: a\r\n${`X-Large: ${'x'.repeat(1_000)}\r\n`.repeat(2_000)}`,
      431,
    ],
    ['too long a path', `GET /${'x'.repeat(2_000_000)}`, 414],
  ])('of %s is refused, and no line of the log is about it', async (_what, text, status) => {
    const talks = await honest();
    if (status === 408) server.headersTimeout = 50;
    const socket = raw(text);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    socket.resume();
    await once(socket, 'close');
    await talks();
    expect(lines).toEqual([]);
  });

  it('can be seen to be refused by a page of any origin', async () => {
    const [answer] = (await once(raw('hello\r\n\r\n'), 'data')) as [Buffer];
    expect(String(answer)).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
  });

  it('is counted', async () => {
    const socket = raw('hello\r\n\r\n').resume();
    await once(socket, 'close');
    expect(broken).toEqual(['request']);
  });
});

describe('a client that leaves', () => {
  it.each([
    [
      'in its body',
      'POST /posted HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    ],
    ['while it is answered', 'GET /rows HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a compressed answer', 'GET /rows HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n'],
    ['a stream', 'GET /ticks HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a WebSocket', upgrade('/silent')],
    ['a WebSocket before its handshake', upgrade('/silent').slice(0, 60)],
  ])('%s is in no line of the log', async (_what, text) => {
    const talks = await honest();
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const socket = raw(text);
    const [accepted] = await connected;
    await until(() => Promise.resolve(accepted.bytesRead >= text.length));
    const closed = new Promise(resolve => accepted.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
    await talks();
    expect(lines).toEqual([]);
  });
});

it('what cannot be served yet is in no line of the log', async () => {
  const socket = raw('GET /early HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n').resume();
  await once(socket, 'close');
  const client = new WebSocket(`ws://127.0.0.1:${port}/full`);
  expect(await once(client, 'close')).toEqual([1013, Buffer.from('not_ready')]);
  expect(lines).toEqual([]);
});
