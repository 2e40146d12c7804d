import { EventEmitter, on, once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { pino } from 'pino';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import type { AppOptions } from './app';
import { bind } from './binding';
import type { AnyCall } from './call';
import { createAppServer } from './server';
import type { ServerSentEvent } from './sse';

const prices = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/prices/{asset}',
  kind: 'sse',
  summary: 'Prices as they change',
  params: z.object({ asset: z.enum(['ton', 'sol']) }),
  response: z.object({ price: z.string() }),
  errors: ['not_ready'],
});
type Price = ServerSentEvent<{ price: string }>;

let server: Server;
let stopping: AbortController;
let call: AnyCall;

async function serve(
  events: (call: AnyCall) => AsyncIterable<Price>,
  heartbeatMs = 60_000,
  options: Partial<AppOptions> = {},
): Promise<string> {
  stopping = new AbortController();
  const app = createTestApp(
    [
      bind(prices, async given => {
        call = given;
        return events(given);
      }),
    ],
    { stopping: stopping.signal, heartbeatMs, ...options },
  );
  server = createAppServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterEach(() => new Promise(resolve => server.close(resolve)));

it('sends events with their type and id, and ends with them', async () => {
  const url = await serve(async function* () {
    yield { data: { price: '3.10' } };
    yield { event: 'change', id: '7', data: { price: '3.20' } };
  });
  const response = await fetch(`${url}/prices/ton`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('private, no-cache, no-transform');
  expect(response.headers.get('x-request-id')).toBeTruthy();
  expect(await response.text()).toBe(
    'data: {"price":"3.10"}\n\nevent: change\nid: 7\ndata: {"price":"3.20"}\n\n',
  );
});

it.each([
  ['a malformed request', '/prices/btc', 400, 'invalid_request'],
  ['a handler that refuses', '/prices/sol', 503, 'not_ready'],
])('answers %s with a problem', async (_, path, status, code) => {
  const url = await serve(({ params }) => {
    if ((params as { asset: string }).asset === 'sol') throw Problem.unavailable('later', 1);
    throw new Error('not called');
  });
  const response = await fetch(url + path);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
});

it('sends the head at once, and heartbeats while there are no events', async () => {
  const source = new EventEmitter();
  const url = await serve(async function* ({ signal }) {
    for await (const [price] of on(source, 'price', { signal })) yield { data: { price: price as string } };
  }, 20);
  const response = await fetch(`${url}/prices/ton`);
  const reader = response.body!.getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toBe(': heartbeat\n\n');
  source.emit('price', '3.10');
  await until(async () => (await read()).includes('"3.10"'));
  await reader.cancel();
});

it('aborts the signal and ends the generator when the client disconnects', async () => {
  let ended = false;
  const url = await serve(async function* ({ signal }) {
    try {
      yield { data: { price: '1' } };
      await once(signal, 'abort');
    } finally {
      ended = true;
    }
  });
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  client.write('GET /prices/ton HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(client, 'data');
  client.destroy();
  await until(() => ended);
  expect(call.signal.aborted).toBe(true);
});

it('ends when the program stops, so that the server can close', async () => {
  const url = await serve(async function* ({ signal }) {
    yield { data: { price: '1' } };
    await once(signal, 'abort');
  });
  const response = await fetch(`${url}/prices/ton`);
  stopping.abort();
  expect(await response.text()).toBe('data: {"price":"1"}\n\n');
});

it.each<[string, () => AsyncIterable<Price>]>([
  [
    'an error',
    async function* () {
      yield { data: { price: '1' } };
      throw new Error('disk failure');
    },
  ],
  [
    'data that its schema does not allow',
    async function* () {
      yield { data: { price: 1 } as never };
    },
  ],
  [
    'a line break in an id',
    async function* () {
      yield { id: '1\ndata: forged', data: { price: '1' } };
    },
  ],
])('cuts the connection after %s', async (_, events) => {
  const url = await serve(events);
  await expect(fetch(`${url}/prices/ton`).then(response => response.text())).rejects.toThrow();
});

it('sends no heartbeats to a client that does not read', async () => {
  let beats = 0;
  const url = await serve(async function* ({ params, signal }) {
    if ((params as { asset: string }).asset === 'ton') {
      yield { data: { price: 'x'.repeat(16 * 2 ** 20) } };
      yield { data: { price: 'next' } };
    }
    await once(signal, 'abort');
  }, 20);
  const ask = (asset: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`GET /prices/${asset} HTTP/1.1\r\nHost: test\r\n\r\n`);
    return socket;
  };
  const stalled = ask('ton').pause();
  const reader = ask('sol').on('data', () => (beats += 1));
  await until(() => beats > 10);
  let text = '';
  stalled.on('data', (bytes: Buffer) => (text += bytes.toString())).resume();
  await until(() => text.includes('"next"'));
  expect(text.slice(text.lastIndexOf('xxx'), text.indexOf('"next"'))).not.toContain('heartbeat');
  for (const socket of [stalled, reader]) socket.destroy();
});

it('computes no more events than the client reads', async () => {
  const price = 'x'.repeat(100_000);
  let computed = 0;
  const url = await serve(async function* () {
    for (; computed < 10_000; computed++) yield { data: { price } };
  });
  const socket = connect(Number(new URL(url).port));
  socket.write('GET /prices/ton HTTP/1.1\r\nHost: test\r\n\r\n');
  await once(socket, 'data');
  socket.pause();
  let before = -1;
  await until(async () => {
    const still = computed === before;
    before = computed;
    await new Promise(resolve => setTimeout(resolve, 100));
    return still;
  });
  expect(computed).toBeLessThan(1_000);
  socket.destroy();
  await until(() => call.signal.aborted);
});

it('ends for a caller without a stream, the newest of the caller with most, once all are in use', async () => {
  const events = async function* ({ signal }: AnyCall) {
    yield { data: { price: '3.10' } };
    await once(signal, 'abort');
  };
  const connectionLimits = { total: 3, perCaller: 0 };
  const url = await serve(events, 60_000, { connectionLimits, trustedProxies: 1 });
  const leaving = new AbortController();
  const from = async (ip: string) => {
    const headers = { 'X-Forwarded-For': ip };
    const reader = (await fetch(`${url}/prices/ton`, { headers, signal: leaving.signal })).body!.getReader();
    expect((await reader.read()).done).toBe(false);
    return reader;
  };
  const readers = [];
  for (let n = 0; n < 3; n++) readers.push(await from('10.0.0.1'));
  const honest = await from('10.0.1.1');
  await expect(readers[2]!.read()).rejects.toThrow();
  const open = [readers[0]!, readers[1]!, honest].map(reader =>
    reader.read().then(
      () => 'ended',
      () => 'aborted',
    ),
  );
  expect(await Promise.race([...open, new Promise(resolve => setImmediate(resolve, 'open'))])).toBe('open');
  leaving.abort();
  await Promise.all(open);
});

it('that ends because its data cannot be read yet is no error in the log, and one that fails is', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: line => void lines.push(line) });
  const errors = [Problem.unavailable('Not yet.', 1), new Error('broken')];
  const url = await serve(
    async function* () {
      yield { data: { price: '3.10' } };
      throw errors.shift()!;
    },
    60_000,
    { logger },
  );
  const read = async () => (await fetch(`${url}/prices/ton`)).text();
  await expect(read()).rejects.toThrow();
  expect(lines).toEqual([]);
  await expect(read()).rejects.toThrow();
  expect(lines).toHaveLength(1);
});
