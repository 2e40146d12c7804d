import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import type { AppOptions } from './app';
import { bind } from './binding';
import { EventFeed, Frame, type EventStream } from './event-feed';
import { createAppServer } from './server';

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

const HEARTBEAT = new Frame(': heartbeat\n\n');
const priceOf = (price: string) => new Frame(`data: {"price":"${price}"}\n\n`);

let server: Server;
let stopping: AbortController;
let closed: { count: number };

/** @param opened is given each stream as it opens */
async function serve(
  opened: (stream: EventStream, asset: string) => void,
  heartbeatMs = 60_000,
  options: Partial<AppOptions> = {},
): Promise<string> {
  stopping = new AbortController();
  // Those of earlier tests may still be told.
  const closes = (closed = { count: 0 });
  const source = { drained: () => undefined, closed: () => void (closes.count += 1) };
  const app = createTestApp(
    [
      bind(prices, async ({ params: { asset } }) => {
        if (asset === 'sol') throw Problem.unavailable('later', 1);
        return new EventFeed(stream => {
          opened(stream, asset);
          return source;
        }, HEARTBEAT);
      }),
    ],
    { stopping: stopping.signal, heartbeatMs, ...options },
  );
  server = createAppServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterEach(() => new Promise(resolve => server.close(resolve)));

it('has the head of an event stream, what is written, and ends', async () => {
  const url = await serve(stream => {
    stream.write([priceOf('3.10')]);
    stream.write([priceOf('3.20'), priceOf('3.30')]);
    stream.end();
  });
  const response = await fetch(`${url}/prices/ton`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('private, no-cache, no-transform');
  expect(response.headers.get('x-request-id')).toBeTruthy();
  expect((await response.text()).trim()).toBe(
    ['3.10', '3.20', '3.30'].map(price => `data: {"price":"${price}"}`).join('\n\n'),
  );
  await until(() => closed.count === 1);
});

it.each([
  ['a malformed request', '/prices/btc', 400, 'invalid_request'],
  ['a handler that refuses', '/prices/sol', 503, 'not_ready'],
])('is not opened for %s, which is a problem', async (_, path, status, code) => {
  const url = await serve(() => undefined);
  const response = await fetch(url + path);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
});

it('is seen open at once, and has heartbeats while there are no events', async () => {
  let open: EventStream | undefined;
  const url = await serve(stream => void (open = stream), 20);
  const reader = (await fetch(`${url}/prices/ton`)).body!.getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toMatch(/^\n/);
  await until(async () => (await read()).includes(': heartbeat'));
  open!.write([priceOf('3.10')]);
  await until(async () => (await read()).includes('"3.10"'));
  await reader.cancel();
});

it('tells its source that the client has disconnected', async () => {
  const url = await serve(() => undefined);
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  client.write('GET /prices/ton HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(client, 'data');
  expect(closed.count).toBe(0);
  client.destroy();
  await until(() => closed.count === 1);
});

it('ends when the program stops, so that the server can close', async () => {
  const url = await serve(stream => void stream.write([priceOf('1')]));
  const response = await fetch(`${url}/prices/ton`);
  stopping.abort();
  expect((await response.text()).trim()).toBe('data: {"price":"1"}');
});

it('sends no heartbeats to a client that does not read', async () => {
  const streams: EventStream[] = [];
  const url = await serve(stream => {
    if (streams.push(stream) === 1) stream.write([priceOf('x'.repeat(16 * 2 ** 20))]);
  }, 20);
  const ask = () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /prices/ton HTTP/1.1\r\nHost: test\r\n\r\n');
    return socket;
  };
  const stalled = ask().pause();
  await until(() => streams.length === 1);
  let beats = 0;
  const reader = ask().on('data', () => (beats += 1));
  await until(() => beats > 10);
  streams[0]!.write([priceOf('next')]);
  let text = '';
  stalled.on('data', (bytes: Buffer) => (text += bytes.toString())).resume();
  await until(() => text.includes('"next"'));
  expect(text.slice(text.lastIndexOf('xxx'), text.indexOf('"next"'))).not.toContain('heartbeat');
  for (const socket of [stalled, reader]) socket.destroy();
});

it('ends for a caller without a stream, the newest of the caller with most, once all are in use', async () => {
  const connectionLimits = { total: 3, perCaller: 0 };
  const opened = (stream: EventStream) => void stream.write([priceOf('3.10')]);
  const url = await serve(opened, 60_000, { connectionLimits, trustedProxies: 1 });
  const leaving = new AbortController();
  const from = async (ip: string) => {
    const headers = { 'X-Forwarded-For': ip };
    const reader = (await fetch(`${url}/prices/ton`, { headers, signal: leaving.signal })).body!.getReader();
    let text = '';
    while (!text.includes('3.10')) text += new TextDecoder().decode((await reader.read()).value);
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
