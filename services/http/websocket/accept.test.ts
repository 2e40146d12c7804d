import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { connect, type AddressInfo, type Socket as NetSocket } from 'node:net';
import { PassThrough } from 'node:stream';
import request from 'supertest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { endpoint } from '../../../contracts/http/endpoint';
import { immutable } from '../../../contracts/http/immutable-response';
import { Problem } from '../../../contracts/problem/problem';
import { createTestApp } from '../../../test/app';
import { collectGarbageSoon } from '../../../test/collect-garbage';
import { until } from '../../../test/until';
import type { AppOptions } from '../app';
import { bind } from '../binding';
import type { AnyCall } from '../call';
import { createAppServer } from '../server';
import { receiveInPieces } from './client-limits';
import type { Socket } from './socket';

type Conversation = (
  call: AnyCall,
  socket: Socket<{ text: string }, { echo: string; to: string }>,
) => Promise<void>;

const chat = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/chats/{name}/ws',
  kind: 'websocket',
  summary: 'Echoes',
  params: z.object({ name: z.string().max(8) }),
  query: z.object({ loud: z.enum(['true', 'false']).optional() }),
  auth: 'bearer',
  body: z.strictObject({ text: z.string() }),
  bodyLimit: 1_000,
  response: z.object({ echo: z.string(), to: z.string() }),
});
const ticker = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/ticks/ws',
  kind: 'websocket',
  summary: 'Ticks',
  bodyLimit: 1_000,
  response: z.object({ tick: z.number() }),
});
const posted = endpoint({
  group: 'Toy',
  method: 'POST',
  path: '/echo',
  summary: 'Echoes a body',
  body: z.object({ text: z.string() }),
  response: z.object({ text: z.string() }),
});
const plain = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/plain',
  summary: 'Not a WebSocket',
  response: z.object({}),
});

const echo: Conversation = async (call, socket) => {
  const { name: to } = call.params as { name: string };
  for await (const { text } of socket.messages) await socket.send({ echo: text, to });
};

let server: Server;
let stopping: AbortController;
const clients: WebSocket[] = [];

type Ticking = (call: AnyCall, socket: Socket<unknown, { tick: number }>) => Promise<void>;

async function serve(
  conversation: Conversation,
  heartbeatMs = 60_000,
  options: Partial<AppOptions> = {},
  ticking: Ticking = async (_call, { messages }) => {
    for await (const _ of messages);
  },
): Promise<number> {
  stopping = new AbortController();
  const bindings = [
    bind(chat, conversation as never),
    bind(ticker, ticking as never, { heartbeat: { tick: 0 } }),
    bind(plain, async () => ({})),
    bind(posted, async ({ body }) => body),
  ];
  const app = createTestApp(bindings, {
    stopping: stopping.signal,
    heartbeatMs,
    authenticate: {
      bearer: async authorization => {
        if (authorization !== 'Bearer good') throw new Problem('unauthenticated', 'No valid token.');
        return { subject: 'ann', issuer: 'instance', role: 'viewer', secureSessionAge: null };
      },
    },
    ...options,
  });
  server = createAppServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await new Promise(resolve => server.close(resolve));
});

function open(port: number, path = '/chats/bob/ws', token = 'good', options = {}): WebSocket {
  const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
    ...options,
  });
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}
const received = async (client: WebSocket): Promise<unknown> =>
  JSON.parse(String(((await once(client, 'message')) as [Buffer])[0]));
/** The problem that an upgrade is refused with. */
async function refusal(client: WebSocket): Promise<{ status: number; code: string; headers: object }> {
  const [, response] = (await once(client, 'unexpected-response')) as [
    unknown,
    AsyncIterable<Buffer> & { headers: object },
  ];
  let text = '';
  for await (const chunk of response) text += chunk.toString();
  return { ...(JSON.parse(text) as { status: number; code: string }), headers: response.headers };
}
const closeCode = async (client: WebSocket): Promise<number> =>
  ((await once(client, 'close')) as [number])[0];

it('exchanges validated messages, in order', async () => {
  const client = open(await serve(echo));
  await once(client, 'open');
  const first = received(client);
  client.send('{"text":"one"}');
  expect(await first).toEqual({ echo: 'one', to: 'bob' });
  const second = received(client);
  client.send('{"text":"two"}');
  expect(await second).toEqual({ echo: 'two', to: 'bob' });
});

it('closes a connection that sends the bytes of a message one by one, each of which would wait in a piece of memory', async () => {
  const port = await serve(echo);
  const [client, attacker] = [open(port), open(port)];
  await Promise.all([once(client, 'open'), once(attacker, 'open')]);
  const closed = closeCode(attacker);
  const { _socket: connection } = attacker as unknown as { readonly _socket: NetSocket };
  connection.setNoDelay();
  // A frame of 500 masked bytes, of which it sends a few.
  connection.write(Buffer.from([0x81, 0xfe, 0x01, 0xf4, 1, 2, 3, 4]));
  for (let n = 0; n < 400 && attacker.readyState === WebSocket.OPEN; n++) {
    connection.write(Buffer.from([7]));
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  expect(await closed).toBe(1008);
  const answer = received(client);
  client.send('{"text":"whole"}');
  expect(await answer).toEqual({ echo: 'whole', to: 'bob' });
});

it('takes a message in a few fragments, and closes a connection that sends one in many', async () => {
  const port = await serve(echo);
  const [client, attacker] = [open(port), open(port)];
  await Promise.all([once(client, 'open'), once(attacker, 'open')]);
  const closed = closeCode(attacker);
  for (let n = 0; n < 20; n++) attacker.send(' ', { fin: false });
  expect(await closed).toBe(1008);
  const answer = received(client);
  for (const part of ['{"te', 'xt":', '"one']) client.send(part, { fin: false });
  client.send('"}');
  expect(await answer).toEqual({ echo: 'one', to: 'bob' });
});

it('keeps of what arrived with a part of a message only what belongs to it', () => {
  const socket = new PassThrough();
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  receiveInPieces(new EventEmitter() as WebSocket, socket);
  const chunk = Buffer.from(Uint8Array.from({ length: 65_536 }, (_, n) => n % 251));
  socket.emit('data', chunk);
  expect(Buffer.concat(pieces).equals(chunk)).toBe(true);
  for (const { buffer } of pieces) expect(buffer.byteLength).toBeLessThanOrEqual(1_024);
});

it('delivers messages that arrived before the handler read them', async () => {
  const client = open(
    await serve(async (call, socket) => {
      await new Promise(resolve => setTimeout(resolve, 50));
      await echo(call, socket);
    }),
  );
  await once(client, 'open');
  client.send('{"text":"early"}');
  expect(await received(client)).toMatchObject({ echo: 'early' });
});

it.each([
  ['a malformed path', '/chats/much-too-long/ws', 'good', 400, 'invalid_request'],
  ['a malformed query', '/chats/bob/ws?loud=maybe', 'good', 400, 'invalid_request'],
  ['a bad token', '/chats/bob/ws', 'bad', 401, 'unauthenticated'],
  ['an unknown path', '/nothing/ws', 'good', 404, 'not_found'],
])('refuses %s with a problem, before the upgrade', async (_, path, token, status, code) => {
  const client = open(await serve(echo), path, token);
  const [, response] = (await once(client, 'unexpected-response')) as [
    unknown,
    AsyncIterable<Buffer> & { statusCode: number; headers: Record<string, string> },
  ];
  let text = '';
  for await (const chunk of response) text += chunk.toString();
  expect(response.statusCode).toBe(status);
  expect(response.headers['content-type']).toContain('application/problem+json');
  expect(JSON.parse(text)).toMatchObject({ status, code });
});

it('answers a plain request 426, and an upgrade of another path as a plain request', async () => {
  const port = await serve(echo);
  const answer = await request(server).get('/chats/bob/ws').set('Authorization', 'Bearer good').expect(426);
  expect(answer.body.code).toBe('upgrade_required');
  const client = open(port, '/plain');
  const [, response] = (await once(client, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(200);
});

it.each([
  ['what is not JSON', '{"text"', 1007],
  ['a member twice', '{"text":"a","text":"b"}', 1007],
  ['a binary message', Buffer.from('{"text":"a"}'), 1007],
  ['an invalid message', '{"text":1}', 1008],
  ['a message that is too large', JSON.stringify({ text: 'x'.repeat(2_000) }), 1009],
])('closes after %s', async (_, message, code) => {
  const client = open(await serve(echo));
  await once(client, 'open');
  client.send(message);
  expect(await closeCode(client)).toBe(code);
});

it.each<[string, Conversation, number]>([
  ['returns', async () => undefined, 1000],
  [
    'fails',
    async () => {
      throw new Error('disk failure');
    },
    1011,
  ],
  [
    'cannot serve it now',
    async () => {
      throw Problem.unavailable('Not read yet.', 2);
    },
    1013,
  ],
  ['sends what its schema does not allow', (_call, socket) => socket.send({ echo: 1 } as never), 1011],
  ['closes', async (_call, socket) => socket.close(4001, 'expired'), 4001],
])('closes when the handler %s', async (_, conversation, code) => {
  const client = open(await serve(conversation));
  expect(await closeCode(client)).toBe(code);
});

it('aborts the signal and ends the messages when the client disconnects', async () => {
  let ended = false;
  let signal: AbortSignal | undefined;
  const client = open(
    await serve(async (call, socket) => {
      ({ signal } = call);
      for await (const _ of socket.messages);
      ended = true;
    }),
  );
  await once(client, 'open');
  client.terminate();
  await until(() => ended && signal?.aborted === true);
});

it('closes when the program stops', async () => {
  const client = open(await serve(echo));
  await once(client, 'open');
  stopping.abort();
  expect(await closeCode(client)).toBe(1001);
});

describe('heartbeats', () => {
  const HEARTBEAT_MS = 300;
  /** They come when the test says so. */
  const beat = () => jest.advanceTimersByTime(HEARTBEAT_MS);
  beforeEach(() => {
    const timers = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'nextTick'] as const;
    jest.useFakeTimers({ doNotFake: [...timers, 'queueMicrotask', 'Date', 'performance', 'hrtime'] });
  });
  afterEach(() => jest.useRealTimers());

  it('keep a client that answers pings, and cut off one that does not', async () => {
    const port = await serve(echo, HEARTBEAT_MS);
    const alive = open(port);
    const silent = open(port, undefined, undefined, { autoPong: false });
    await Promise.all([once(alive, 'open'), once(silent, 'open')]);
    const closed = closeCode(silent);
    for (const text of ['one', 'two', 'three']) {
      const pinged = once(alive, 'ping');
      beat();
      await pinged;
      // The answer to what follows the pong says that the pong was read.
      const answer = received(alive);
      alive.send(JSON.stringify({ text }));
      expect(await answer).toMatchObject({ echo: text });
    }
    expect(await closed).toBe(1006);
  });

  it('keep a client whose pong arrived while this process was not scheduled', async () => {
    const client = open(await serve(echo, HEARTBEAT_MS), undefined, undefined, { autoPong: false });
    await once(client, 'open');
    const pinged = once(client, 'ping');
    beat();
    await pinged;
    const next = Promise.race([once(client, 'ping').then(() => 'pinged'), closeCode(client)]);
    // As after a pause: the timer is due while the pong waits to be read.
    await new Promise(resolve => setTimeout(resolve));
    client.pong();
    beat();
    expect(await next).toBe('pinged');
  });
});

it('stops reading from a client while the handler is busy', async () => {
  let taken = 0;
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => (release = resolve));
  const port = await serve(async (_call, socket) => {
    await released;
    for await (const _ of socket.messages) taken++;
  });
  const connected = once(server, 'connection') as Promise<[NetSocket]>;
  const client = open(port);
  const [connection] = await connected;
  await once(client, 'open');
  for (let i = 0; i < 60; i++) client.send('{"text":"x"}');
  await until(() => connection.isPaused());
  release();
  await until(() => taken === 60 && !connection.isPaused());
});

it('cuts off a client that does not read', async () => {
  let closed = false;
  let sent = 0;
  const port = await serve(async (call, socket) => {
    const large = 'x'.repeat(100_000);
    while (!call.signal.aborted) {
      void socket.send({ echo: large, to: 'nobody' });
      sent += 1;
      await new Promise(resolve => setImmediate(resolve));
    }
    closed = true;
  });
  const socket = connect(port);
  socket.on('error', () => undefined);
  socket.write(
    'GET /chats/bob/ws HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      'Authorization: Bearer good\r\n\r\n',
  );
  await once(socket, 'data');
  socket.pause();
  await until(() => closed);
  // What the system holds, and a megabyte.
  expect(sent).toBeLessThan(500);
  socket.destroy();
});

describe('an upgrade', () => {
  const UPGRADE =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  const connections = () =>
    new Promise<number>(resolve => server.getConnections((_error, count) => resolve(count)));

  it('before an earlier request is answered ends the connection, and nothing else', async () => {
    const port = await serve(echo);
    const socket = connect(port);
    socket.on('error', () => undefined);
    socket.write(
      `GET /plain HTTP/1.1\r\nHost: test\r\n\r\nGET /ticks/ws HTTP/1.1\r\nHost: test\r\n${UPGRADE}`,
    );
    await once(socket, 'close');
    await once(open(port), 'open');
  });

  it('that is refused ends the connection, although the client leaves its side open', async () => {
    const socket = connect({ port: await serve(echo), allowHalfOpen: true });
    socket.write(`GET /nothing HTTP/1.1\r\nHost: test\r\n${UPGRADE}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain(' 404 ');
    await until(async () => (await connections()) === 0);
    socket.destroy();
  });

  it('to another protocol is ignored: the request is answered with its body, and the connection goes on', async () => {
    const port = await serve(echo);
    const socket = connect(port);
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    const body = JSON.stringify({ text: 'one' });
    const head = `Host: test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const h2c =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';
    for (const count of [1, 2]) {
      socket.write(`POST /echo HTTP/1.1\r\n${head}${h2c}\r\n${body}`);
      await until(() => text.split('{"text":"one"}').length === count + 1);
    }
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    socket.destroy();
  });
});

describe('a WebSocket without messages of the client', () => {
  it('ignores what it sends, up to the size limit', async () => {
    const client = open(await serve(echo), '/ticks/ws');
    await once(client, 'open');
    for (const message of ['{"text"', Buffer.alloc(10), 'x'.repeat(900)]) client.send(message);
    client.ping();
    await once(client, 'pong');
    client.send('x'.repeat(2_000));
    expect(await closeCode(client)).toBe(1009);
  });

  it('sends its heartbeat', async () => {
    const client = open(await serve(echo, 20), '/ticks/ws');
    expect(await received(client)).toEqual({ tick: 0 });
    expect(await received(client)).toEqual({ tick: 0 });
  });

  it('keeps only the newest message for a client that does not read', async () => {
    const LAST = 400;
    let closed = false;
    let sent = 0;
    const padding = 'x'.repeat(100_000);
    const port = await serve(echo, 60_000, {}, async (call, socket) => {
      for (let tick = 1; tick <= LAST; tick++) {
        socket.sendNewest({ tick, padding } as { tick: number });
        sent = tick;
        await new Promise(resolve => setImmediate(resolve));
      }
      if (!call.signal.aborted) await once(call.signal, 'abort');
      closed = true;
    });
    const client = open(port, '/ticks/ws');
    await once(client, 'open');
    client.pause();
    await until(() => sent === LAST);
    expect(closed).toBe(false);
    const ticks: number[] = [];
    client.on('message', (data: Buffer) =>
      ticks.push((JSON.parse(data.toString()) as { tick: number }).tick),
    );
    client.resume();
    await until(() => ticks.at(-1) === LAST);
    expect(ticks.length).toBeLessThan(LAST);
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
  });

  it('sends an immutable message to many, serialised once', async () => {
    let serialised = 0;
    const tick = immutable({ tick: 7, toJSON: () => ((serialised += 1), { tick: 7 }) });
    const port = await serve(echo, 60_000, {}, async (call, socket) => {
      await socket.send(tick);
      await new Promise(resolve => call.signal.addEventListener('abort', resolve));
    });
    const clients = Array.from({ length: 5 }, () => open(port, '/ticks/ws'));
    expect(await Promise.all(clients.map(received))).toEqual(clients.map(() => ({ tick: 7 })));
    expect(serialised).toBe(1);
  });
});

describe('open connections', () => {
  it('are limited in all and for each caller, and a closed one makes room', async () => {
    const connectionLimits = { total: 4, perCaller: 2 };
    const port = await serve(echo, 60_000, { connectionLimits, trustedProxies: 1 });
    const from = (ip: string) => open(port, '/ticks/ws', '', { headers: { 'X-Forwarded-For': ip } });
    const [first, second] = [from('10.0.0.1'), from('10.0.0.1')];
    await Promise.all([once(first, 'open'), once(second, 'open')]);
    expect(await refusal(from('10.0.0.1'))).toMatchObject({
      status: 429,
      code: 'too_many_connections',
      headers: { 'retry-after': '30' },
    });
    for (const _ of [1, 2]) await once(from('10.0.0.2'), 'open');
    await once(from('10.0.0.3'), 'open');
    expect(await refusal(from('10.0.0.3'))).toMatchObject({ status: 503, code: 'connections_exhausted' });
    first.terminate();
    await until(async () => {
      const next = from('10.0.0.3');
      await Promise.race([
        once(next, 'open'),
        refusal(next).then(() => Promise.reject(new Error('refused'))),
      ]);
      return true;
    });
  });

  it('are taken back, the newest of the caller with most, for a caller without any', async () => {
    const connectionLimits = { total: 7, perCaller: 3 };
    const port = await serve(echo, 60_000, { connectionLimits, trustedProxies: 1 });
    const from = async (ip: string, path = '/ticks/ws') => {
      const client = open(port, path, 'good', { headers: { 'X-Forwarded-For': ip } });
      await once(client, 'open');
      return client;
    };
    const honest = await from('10.0.1.1');
    const attack = [];
    for (const ip of ['10.0.0.1', '10.0.0.2']) for (let n = 0; n < 3; n++) attack.push(await from(ip));
    const [, , newest] = attack;
    const closed = once(newest!, 'close');
    const another = await from('10.0.1.2');
    expect(await closed).toEqual([1013, Buffer.from('connections_exhausted')]);
    for (const client of [honest, another, ...attack.filter(each => each !== newest)])
      expect(client.readyState).toBe(WebSocket.OPEN);
  });

  it('are counted out when the handshake is invalid', async () => {
    const port = await serve(echo, 60_000, { connectionLimits: { total: 1, perCaller: 0 } });
    for (let n = 0; n < 3; n++) {
      const socket = connect(port);
      socket.write(
        'GET /ticks/ws HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n',
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toContain(' 400 ');
      await once(socket, 'close');
    }
  });

  it('and their frames are observed by route', async () => {
    const seen: string[] = [];
    const observeConnections = (route: string) => ({
      opened: () => void seen.push(`${route} opened`),
      closed: () => void seen.push(`${route} closed`),
      sent: () => void seen.push(`${route} sent`),
      received: () => void seen.push(`${route} received`),
    });
    const client = open(await serve(echo, 60_000, { observeConnections }));
    await once(client, 'open');
    const answer = received(client);
    client.send('{"text":"one"}');
    await answer;
    client.close();
    await until(() => seen.includes('/chats/{name}/ws closed'));
    expect(seen).toEqual(['opened', 'received', 'sent', 'closed'].map(what => `/chats/{name}/ws ${what}`));
  });

  it('end with the program although a client does not answer the close', async () => {
    const port = await serve(echo);
    const socket = connect(port);
    socket.on('error', () => undefined);
    socket.write(
      'GET /ticks/ws HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await once(socket, 'data');
    const closed = new Promise(resolve => server.close(resolve));
    stopping.abort();
    await closed;
    socket.destroy();
  });
});

it('keeps nothing of the request and the response of an open connection', async () => {
  const port = await serve(echo);
  const seen: WeakRef<object>[] = [];
  server.once('upgrade', (request: IncomingMessage) => {
    const { _httpMessage: response } = request.socket as unknown as { readonly _httpMessage: object };
    seen.push(new WeakRef(request), new WeakRef(response));
  });
  const client = open(port);
  await once(client, 'open');
  client.send('{"text":"hello"}');
  expect(await received(client)).toEqual({ echo: 'hello', to: 'bob' });
  await until(() => {
    collectGarbageSoon();
    return seen.length === 2 && seen.every(each => each.deref() === undefined);
  });
  expect(client.readyState).toBe(WebSocket.OPEN);
});
