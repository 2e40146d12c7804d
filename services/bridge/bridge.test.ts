import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { blake2b } from '@noble/hashes/blake2b';
import { pino } from 'pino';
import nacl from 'tweetnacl';
import type { Mailbox, MailboxLimits } from '../../contracts/ports/mailbox';
import { NO_LIMITS, type RateLimits } from '../../contracts/ports/rate-limits';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { createMemoryOrigins } from '../../infra/engines/connection-origins/memory';
import { openSqliteMailbox } from '../../infra/engines/mailbox/sqlite/sqlite-mailbox';
import { createTestApp } from '../../test/app';
import { temporaryFolder } from '../../test/temporary-folder';
import { until } from '../../test/until';
import type { AppOptions } from '../http/app';
import { createAppServer } from '../http/server';
import { bridgeRoutes, type BridgeDeps } from './routes';

const folder = temporaryFolder();
const closing: (() => Promise<void>)[] = [];
let files = 0;

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Options
  extends
    Partial<BridgeDeps>,
    Partial<Pick<AppOptions, 'connectionLimits' | 'heartbeatMs' | 'unsentLimits' | 'onUnreadClosed'>> {
  readonly mailboxLimits?: Partial<MailboxLimits>;
}

/** A bridge on a mailbox of its own. */
async function startBridge(options: Options = {}) {
  const { mailboxLimits, connectionLimits, heartbeatMs, unsentLimits, onUnreadClosed, ...deps } = options;
  const path = join(folder, `${(files += 1)}.sqlite`);
  const mailbox: Mailbox = openSqliteMailbox({ path, ...(mailboxLimits && { limits: mailboxLimits }) });
  const stopping = new AbortController();
  const posted: string[] = [];
  const logger = pino({ level: 'silent' });
  const app = createTestApp(
    bridgeRoutes({
      mailbox,
      limits: NO_LIMITS,
      origins: createMemoryOrigins(),
      requestSource: false,
      logger,
      clock: () => new Date(),
      onPosted: outcome => posted.push(outcome),
      onDelivered: () => undefined,
      ...deps,
    }),
    {
      trustedProxies: 1,
      stopping: stopping.signal,
      ...(connectionLimits && { connectionLimits }),
      ...(heartbeatMs !== undefined && { heartbeatMs }),
      ...(unsentLimits && { unsentLimits }),
      ...(onUnreadClosed && { onUnreadClosed }),
    },
  );
  const server = createAppServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tonconnect`;
  closing.push(async () => {
    stopping.abort();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
    await mailbox.close();
  });
  return { url, posted, stopping };
}

/** All that one address sends in a test fits into its share. */
const LARGE = { messages: 10_000, bytes: 64 * 1024 * 1024 };

const id = (digit: string): string => digit.repeat(64);
const [ANN, BOB, EVE] = [id('a'), id('b'), id('e')];

const get = (url: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${url}/events?${new URLSearchParams(query)}`, { headers });

const send = (url: string, body: string, query: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${url}/message?${new URLSearchParams({ client_id: ANN, to: BOB, ttl: '300', ...query })}`, {
    method: 'POST',
    body,
    ...init,
  });

interface Received {
  readonly id: string;
  readonly data: string;
}

/** Opens a stream and reads it until the test is over. */
async function listen(url: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${url}/events?${new URLSearchParams({ client_id: BOB, ...query })}`, {
    headers,
    signal: abort.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  let text = '';
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true });
  };
  const ended = read().catch(() => undefined);
  closing.push(async () => {
    abort.abort();
    await ended;
  });
  const stream = {
    text: () => text,
    events: (): Received[] =>
      [...text.matchAll(/^event: message\nid: (\d+)\ndata: (.*)\n\n/gm)].map(([, of, data]) => ({
        id: of!,
        data: data!,
      })),
    bodies: () => stream.events().map(({ data }) => (JSON.parse(data) as { message: string }).message),
    ended,
    close: () => abort.abort(),
  };
  return stream;
}

test('a message reaches the stream of its recipient, as the official bridge sends it', async () => {
  const { url } = await startBridge();
  const stream = await listen(url);
  await until(() => stream.text().startsWith('\n'));
  const trace = '01890a5d-ac96-774b-bcce-b302099a8057';
  const sent = await send(url, 'aGVsbG8=', { trace_id: trace, topic: 'sendTransaction' });
  expect([sent.status, await sent.json()]).toEqual([200, { message: 'OK', statusCode: 200 }]);
  await until(() => stream.events().length === 1);
  expect(stream.text()).toContain(
    `event: message\nid: ${stream.events()[0]!.id}\n` +
      `data: {"from":"${ANN}","message":"aGVsbG8=","trace_id":"${trace}"}\n\n`,
  );
});

test('messages wait for their recipient, and are replayed after a cursor in the order of their ids', async () => {
  const { url } = await startBridge();
  for (const n of '012345')
    await send(url, n, { to: Number(n) % 2 ? EVE : BOB, ttl: n === '0' ? '300' : '60' });
  const all = await listen(url, {
    client_id: `${BOB},${EVE.toUpperCase()}`,
    enable_queue_done_event: 'true',
  });
  await until(() => all.text().endsWith('event: message\ndata: queue_done\n\n'));
  expect(all.bodies()).toEqual(['0', '1', '2', '3', '4', '5']);
  const cursor = all.events()[2]!.id;
  const byQuery = await listen(url, { client_id: `${BOB},${EVE}`, last_event_id: cursor });
  const byHeader = await listen(
    url,
    { client_id: `${BOB},${EVE}`, last_event_id: '1' },
    { 'Last-Event-ID': cursor },
  );
  await until(() => byQuery.events().length === 3 && byHeader.events().length === 3);
  expect([byQuery.bodies(), byHeader.bodies()]).toEqual([
    ['3', '4', '5'],
    ['3', '4', '5'],
  ]);
});

test('a sender that retries gets the same answer, and the recipient one message', async () => {
  const { url, posted } = await startBridge();
  const stream = await listen(url);
  for (let n = 0; n < 3; n += 1) expect((await send(url, 'again')).status).toBe(200);
  await send(url, 'next');
  await until(() => stream.events().length === 2);
  expect(stream.bodies()).toEqual(['again', 'next']);
  expect(posted).toEqual(['stored', 'duplicate', 'duplicate', 'stored']);
});

test('heartbeats are invisible to event sources unless they are asked for', async () => {
  const { url } = await startBridge({ heartbeatMs: 20 });
  const legacy = await listen(url);
  const visible = await listen(url, { heartbeat: 'message' });
  await until(() => legacy.text().length > 20 && visible.text().length > 20);
  expect(legacy.text()).toMatch(/^\n(event: heartbeat\n\n)+$/);
  expect(visible.text()).toMatch(/^\n(event: message\ndata: heartbeat\n\n)+$/);
});

test('a trace id that is no UUID is replaced', async () => {
  const { url } = await startBridge();
  const stream = await listen(url);
  for (const trace_id of ['', 'nonsense']) await send(url, `with ${trace_id}`, { trace_id });
  await until(() => stream.events().length === 2);
  for (const { data } of stream.events())
    expect((JSON.parse(data) as { trace_id: string }).trace_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});

test.each([
  [{ client_id: '' }, 'client_id'],
  [{ client_id: 'abc' }, 'public address must be 64 characters long'],
  [{ client_id: 'x'.repeat(64) }, 'must be a valid hex string'],
  [{ to: BOB + BOB }, 'failed to parse the "to" address'],
  [{ ttl: '0' }, 'param "ttl" must be positive'],
  [{ ttl: '-1' }, 'param "ttl" must be positive'],
  [{ ttl: '301' }, 'param "ttl" too high'],
  [{ ttl: '1.5' }, 'param "ttl" must be an integer'],
])('a message with %j is refused', async (query, text) => {
  const { url } = await startBridge();
  const refused = await send(url, 'a', query);
  expect(refused.status).toBe(400);
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect(await refused.json()).toMatchObject({
    message: expect.stringContaining(text) as string,
    statusCode: 400,
    status: 400,
    code: 'invalid_request',
  });
});

test.each([
  ['client_id', `param "client_id" not present`],
  ['to', `param "to" not present`],
  ['ttl', `param "ttl" not present`],
])('a message without %s is refused', async (name, text) => {
  const { url } = await startBridge();
  const query = new URLSearchParams({ client_id: ANN, to: BOB, ttl: '300' });
  query.delete(name);
  const refused = await fetch(`${url}/message?${query}`, { method: 'POST', body: 'a' });
  expect([refused.status, await refused.json()]).toMatchObject([400, { message: text, statusCode: 400 }]);
});

test.each([
  ['no id', {}, 400],
  ['an id that is no key', { client_id: 'abc' }, 400],
  ['an empty id', { client_id: `${BOB},` }, 400],
  ['a cursor that is no number', { client_id: BOB, last_event_id: 'x' }, 400],
  ['an unknown heartbeat', { client_id: BOB, heartbeat: 'loud' }, 400],
  ['too many ids', { client_id: Array(1_001).fill(BOB).join(',') }, 400],
  ['200 kB', { client_id: 'a'.repeat(204_800) }, 414],
])('a stream with %s is refused', async (_what, query, status) => {
  const { url } = await startBridge();
  const refused = await get(url, query as Record<string, string>);
  expect(refused.status).toBe(status);
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect(await refused.json()).toMatchObject({ message: expect.any(String) as string, statusCode: status });
});

test('a stream with a megabyte is refused before any of it is looked at', async () => {
  const { url } = await startBridge();
  const refused = await get(url, { client_id: 'a'.repeat(1_000_000) });
  expect(refused.status).toBe(414);
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
});

test('a body that is too large is refused', async () => {
  const { url } = await startBridge();
  expect((await send(url, 'a'.repeat(256 * 1024))).status).toBe(200);
  expect((await send(url, 'a'.repeat(256 * 1024 + 1))).status).toBe(413);
});

test('a message without text is one, as the official bridge has it', async () => {
  const { url } = await startBridge();
  expect((await send(url, '')).status).toBe(200);
  expect((await fetch(`${url}/message?client_id=${EVE}&to=${BOB}&ttl=300`, { method: 'POST' })).status).toBe(
    200,
  );
  const stream = await listen(url);
  await until(() => stream.events().length === 2);
  expect(stream.bodies()).toEqual(['', '']);
});

test('a client that reconnects with an id beyond the newest gets nothing that is older, live or stored', async () => {
  const { url } = await startBridge();
  await send(url, 'offline');
  const probe = await listen(url, { client_id: EVE });
  await send(url, '', { to: EVE });
  await until(() => probe.events().length === 1);
  const newest = Number(probe.events()[0]!.id);
  for (const cursor of [`${newest + 1_000_000_000}`, `${Number.MAX_SAFE_INTEGER}`, '9'.repeat(20)]) {
    const byQuery = await listen(url, { last_event_id: cursor, enable_queue_done_event: 'true' });
    const byHeader = await listen(url, { enable_queue_done_event: 'true' }, { 'Last-Event-ID': cursor });
    await until(() => [byQuery, byHeader].every(each => each.text().includes('queue_done')));
    expect([byQuery.events(), byHeader.events()]).toEqual([[], []]);
  }
});

test('limits are answered with the time after which to try again', async () => {
  const counted: unknown[] = [];
  const limits: RateLimits = {
    ...NO_LIMITS,
    consume: async (policy, _key, calls) => {
      if (policy !== 'bridge_messages') return null;
      counted.push([policy, calls]);
      return { quota: 2, window: 60, remaining: 0, resetsIn: 7, exceeded: counted.length > 2 };
    },
  };
  const { url, posted } = await startBridge({
    limits,
    mailboxLimits: { messages: 1, bytes: 1_000_000 },
    connectionLimits: { total: 0, perCaller: 1 },
  });
  expect((await send(url, 'a'.repeat(40_000))).status).toBe(200);
  const full = await send(url, 'b');
  expect([full.status, posted]).toEqual([429, ['stored', 'mailbox_full']]);
  expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(290);
  const limited = await send(url, 'c');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  expect(counted.slice(0, 2)).toEqual([
    ['bridge_messages', 3],
    ['bridge_messages', 1],
  ]);
  await listen(url);
  const second = await get(url, { client_id: BOB });
  expect([second.status, second.headers.has('retry-after')]).toEqual([429, true]);
});

test('a recipient learns where a message was sent from, encrypted for it alone, unless the sender refuses', async () => {
  const { url } = await startBridge({ requestSource: true });
  const keys = nacl.box.keyPair();
  const to = Buffer.from(keys.publicKey).toString('hex');
  const stream = await listen(url, { client_id: to });
  const headers = { Origin: 'https://app.example', 'User-Agent': 'toy/1', 'X-Forwarded-For': '1.1.1.1' };
  await send(url, 'a', { to }, { headers });
  await send(url, 'b', { to, no_request_source: 'true' }, { headers });
  await until(() => stream.events().length === 2);
  const [a, b] = stream.events().map(({ data }) => JSON.parse(data) as { request_source?: string });
  expect(b).not.toHaveProperty('request_source');
  // crypto_box_seal_open of libsodium.
  const sealed = Buffer.from(a!.request_source!, 'base64');
  const ephemeral = sealed.subarray(0, 32);
  const nonce = blake2b(Buffer.concat([ephemeral, keys.publicKey]), { dkLen: 24 });
  const opened = nacl.box.open(sealed.subarray(32), nonce, ephemeral, keys.secretKey);
  expect(JSON.parse(Buffer.from(opened!).toString())).toEqual({
    origin: 'https://app.example',
    ip: '1.1.1.1',
    time: expect.stringMatching(/^\d{10}$/) as string,
    user_agent: 'toy/1',
  });
});

test('a client of HTTP/1.0, one that pipelines and one that asks for the head alone get what they expect', async () => {
  const { url } = await startBridge();
  const { host, hostname, port } = new URL(url);
  const raw = async (text: string): Promise<() => string> => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', data => (received += data.toString()));
    closing.push(async () => void socket.destroy());
    await once(socket, 'connect');
    socket.write(text);
    return () => received;
  };
  const request = (method: string, version: string): string =>
    `${method} /tonconnect/events?client_id=${BOB} HTTP/${version}\r\nHost: ${host}\r\n\r\n`;
  const old = await raw(request('GET', '1.0'));
  const pipelining = await raw(request('HEAD', '1.1') + request('GET', '1.1'));
  await until(() => old().includes('\r\n\r\n\n') && pipelining().includes('\r\n1\r\n\n\r\n'));
  await send(url, 'a');
  await until(() => old().includes('data: ') && pipelining().includes('data: '));
  const [, body] = old().split('\r\n\r\n');
  expect(body).toMatch(/^\nevent: message\nid: \d+\ndata: \{.*\}\n\n$/);
  const [head, streamHead, chunks] = pipelining().split('\r\n\r\n');
  expect([head, streamHead]).toEqual([
    expect.stringContaining('text/event-stream'),
    expect.stringContaining('text/event-stream'),
  ]);
  expect(chunks).toMatch(/^1\r\n\n\r\n[0-9a-f]+\r\nevent: message\nid: \d+\ndata: \{.*\}\n\n/);
});

test('one network that sends all it can keeps no other from sending to a recipient, nor the recipient from reading', async () => {
  const { url } = await startBridge({ mailboxLimits: { messages: 100, bytes: 1_000_000 } });
  const from = (ip: string) => ({ headers: { 'X-Forwarded-For': ip } });
  const attack = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      send(url, `noise ${n}`, { topic: 'disconnect', ttl: '1' }, from(`2001:db8::${n}`)),
    ),
  );
  expect(attack.filter(({ status }) => status === 200)).toHaveLength(25);
  expect(attack.filter(({ status }) => status === 429)).toHaveLength(35);
  expect((await send(url, 'honest', {}, from('192.0.2.1'))).status).toBe(200);
  const stream = await listen(url);
  await until(() => stream.text().includes('"honest"'));
});

test('one network that fills the mailboxes of many recipients keeps no other from sending, and a newcomer least', async () => {
  const { url, posted } = await startBridge({ mailboxLimits: { totalBytes: 256 * 1024 } });
  const from = (ip: string) => ({ headers: { 'X-Forwarded-For': ip } });
  const attack = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      send(url, 'x'.repeat(4_000), { to: `${n}`.padStart(64, '0') }, from(`2001:db8::${n}`)),
    ),
  );
  const refused = attack.filter(({ status }) => status === 429);
  expect([posted.filter(outcome => outcome === 'stored').length, refused.length]).toEqual([10, 50]);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(290);
  expect((await send(url, 'honest', {}, from('192.0.2.1'))).status).toBe(200);
  const stream = await listen(url);
  await until(() => stream.bodies()[0] === 'honest');
});

test('who opens streams of a full mailbox again and again is sent a bounded part, and another client opens its own', async () => {
  const { url } = await startBridge({
    limits: createMemoryLimits({ bridge_streams: 40 }),
    mailboxLimits: LARGE,
  });
  const large = Array.from({ length: 40 }, (_, n) => `${n} `.padEnd(250_000, 'x'));
  for (const body of large) await send(url, body);
  for (const body of large.slice(0, 8)) await send(url, body, { to: ANN });
  const from = (ip: string) => ({ 'X-Forwarded-For': ip });
  const opened = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => listen(url, {}, from(`2001:db8::${n}`))),
  );
  const attack = opened.flatMap(each => (each.status === 'fulfilled' ? each.value : []));
  const honest = await listen(url, { client_id: ANN }, from('2001:db9::1'));
  await until(() => honest.events().length === 8);
  expect(honest.bodies()).toEqual(large.slice(0, 8));
  const refused = await get(url, { client_id: BOB }, from('2001:db8::99'));
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
  expect(attack.flatMap(stream => stream.events()).length).toBeLessThan(60);
});

test('what has waited is charged to who opens the stream, and goes on when the minute is over; what comes later is not', async () => {
  const charged: unknown[] = [];
  const limits: RateLimits = {
    ...NO_LIMITS,
    consume: async (quota, key, cost) => {
      if (quota !== 'bridge_streams') return null;
      charged.push([key, cost]);
      return { quota: 1, window: 60, remaining: 0, resetsIn: 0.02, exceeded: charged.length > 1 };
    },
  };
  const { url } = await startBridge({ limits, mailboxLimits: LARGE });
  const sent = Array.from({ length: 6 }, (_, n) => `${n} `.padEnd(100_000, 'x'));
  for (const body of sent.slice(0, 4)) await send(url, body);
  charged.splice(0);
  const stream = await listen(
    url,
    {
      client_id: `${BOB},${Array.from({ length: 100 }, (_, n) => `${n}`.padStart(64, '0')).join()}`,
      enable_queue_done_event: 'true',
    },
    { 'X-Forwarded-For': '192.0.2.1' },
  );
  await until(() => stream.text().endsWith('queue_done\n\n'));
  for (const body of sent.slice(4)) await send(url, body);
  await until(() => stream.events().length === sent.length);
  expect(stream.bodies()).toEqual(sent);
  const [opened, ...replayed] = charged as [string, number][];
  expect(opened).toEqual(['192.0.2.1', 2]);
  expect(new Set(replayed.map(([key]) => key))).toEqual(new Set(['192.0.2.1']));
  expect(replayed.reduce((sum, [, cost]) => sum + cost, 0)).toBe(Math.floor(400_000 / 65_536));
});

test('a stream for many clients counts as several, and who has none may open one', async () => {
  const { url } = await startBridge({ connectionLimits: { total: 0, perCaller: 4 } });
  const many = (count: number): string =>
    Array.from({ length: count }, (_, n) => `${n}`.padStart(64, '0')).join();
  const from = (ip: string) => ({ 'X-Forwarded-For': ip });
  await listen(url, { client_id: many(201) }, from('192.0.2.1'));
  await listen(url, {}, from('192.0.2.1'));
  expect((await get(url, { client_id: BOB }, from('192.0.2.1'))).status).toBe(429);
  const all = await listen(url, { client_id: many(1_000) }, from('192.0.2.2'));
  expect((await get(url, { client_id: BOB }, from('192.0.2.2'))).status).toBe(429);
  await send(url, 'a', { to: '7'.padStart(64, '0') });
  await until(() => all.bodies()[0] === 'a');
});

test('a reader that does not read gets everything once it reads', async () => {
  const { url } = await startBridge({ mailboxLimits: LARGE });
  const sent = Array.from({ length: 60 }, (_, n) => `${n} ${'x'.repeat(100_000)}`);
  for (const each of sent.slice(0, 50)) await send(url, each);
  const response = await get(url, { client_id: BOB });
  const reader = response.body!.getReader();
  const chunks = [(await reader.read()).value!];
  for (const each of sent.slice(50)) await send(url, each);
  const isComplete = (bytes: number): boolean =>
    bytes > sent.join('').length && chunks.at(-1)!.at(-1) === '\n'.charCodeAt(0);
  for (let bytes = chunks[0]!.length; !isComplete(bytes); bytes += chunks.at(-1)!.length)
    chunks.push((await reader.read()).value!);
  await reader.cancel();
  const received = [
    ...Buffer.concat(chunks)
      .toString()
      .matchAll(/"message":"(\d+) /g),
  ];
  expect(received.map(([, n]) => Number(n))).toEqual(sent.map((_, n) => n));
});

test('streams that nobody reads are closed, and lose nothing: they continue after what was received', async () => {
  let closed = 0;
  const { url } = await startBridge({
    unsentLimits: { perCaller: 512 * 1024, total: 1e9, drainMs: 3_600_000 },
    onUnreadClosed: () => (closed += 1),
    mailboxLimits: LARGE,
  });
  const sent = Array.from({ length: 48 }, (_, n) => `${n} ${'x'.repeat(250_000)}`);
  for (const each of sent) await send(url, each);
  const { host, hostname, port } = new URL(url);
  const receivers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect(Number(port), hostname).pause();
      const chunks: Buffer[] = [];
      const isOver = new Promise(resolve => socket.on('error', resolve).once('close', resolve));
      socket.on('data', bytes => chunks.push(bytes)).pause();
      await once(socket, 'connect');
      socket.write(`GET /tonconnect/events?client_id=${BOB} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      closing.push(async () => void socket.destroy());
      return { socket, chunks, isOver };
    }),
  );
  await until(() => closed >= 6);
  for (const { socket } of receivers) socket.resume();
  const complete = /^event: message\r?\nid: (\d+)\r?\ndata: .*"message":"(\d+) .*\n\n/gm;
  for (const { chunks, isOver } of receivers.slice(0, 2)) {
    await isOver;
    const found = [...Buffer.concat(chunks).toString().matchAll(complete)];
    expect(found.length).toBeLessThan(sent.length);
    const rest = await listen(url, { last_event_id: found.at(-1)?.[1] ?? '0' });
    await until(() => found.length + rest.events().length === sent.length);
    expect([...found.map(([, , n]) => n), ...rest.bodies().map(body => body.split(' ')[0])]).toEqual(
      sent.map((_, n) => `${n}`),
    );
    rest.close();
    await rest.ended;
  }
});

test('closing one of two streams of a client leaves the other', async () => {
  const { url } = await startBridge();
  const [first, second] = [await listen(url), await listen(url)];
  await send(url, 'a');
  await until(() => first.events().length === 1 && second.events().length === 1);
  first.close();
  await first.ended;
  await send(url, 'b');
  await until(() => second.events().length === 2);
  expect(first.events()).toHaveLength(1);
});

test('streams end when the program stops', async () => {
  const { url, stopping } = await startBridge();
  const streams = [await listen(url), await listen(url)];
  stopping.abort();
  await Promise.all(streams.map(({ ended }) => ended));
});

test('pages that connect for a client later do not make the page that is connected a danger', async () => {
  let now = 1;
  const { url } = await startBridge({ origins: createMemoryOrigins({ clock: () => now, refreshMs: 5 }) });
  const statusOf = async (page: string): Promise<unknown> => {
    const query = new URLSearchParams({ client_id: BOB, url: page });
    const answer = await fetch(`${url}/verify?${query}`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': '1.1.1.1' },
    });
    return ((await answer.json()) as { status: unknown }).status;
  };
  const connect = (page: string) => listen(url, {}, { Origin: page, 'X-Forwarded-For': '1.1.1.1' });
  const application = await connect('https://app.example');
  // Remembered for as long as it is open, and not for five minutes after it was opened.
  for (let minutes = 0; minutes < 8; minutes += 1) {
    now += 60_000;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  expect(await statusOf('https://other.example')).toBe('danger');
  for (let n = 0; n < 40; n += 1) {
    const stream = await connect(`https://evil${n}.example`);
    if (n % 2) {
      stream.close();
      await stream.ended;
    }
  }
  expect(await statusOf('https://app.example')).toBe('ok');
  expect(await statusOf('https://evil39.example')).toBe('danger');
  application.close();
  await application.ended;
  now += 240_000;
  expect(await statusOf('https://app.example')).toBe('ok');
});

test('a stranger that names pages and clients keeps no page from being told from another one', async () => {
  const { url } = await startBridge({ origins: createMemoryOrigins({ maxClients: 400 }) });
  const statusOf = async (page: string): Promise<unknown> => {
    const query = new URLSearchParams({ client_id: BOB, url: page });
    const headers = { 'X-Forwarded-For': '1.1.1.1' };
    const answer = await fetch(`${url}/verify?${query}`, { method: 'POST', headers });
    return ((await answer.json()) as { status: unknown }).status;
  };
  const connect = (client: string, page: string, ip: string) =>
    listen(url, { client_id: client }, { Origin: page, 'X-Forwarded-For': ip });
  const [page, phishing] = ['https://app.example', 'https://phishing.example'];
  await connect(BOB, page, '2.2.2.2');
  // Addresses of one IPv6 network are one caller.
  for (let n = 1; n <= 20; n += 1) await connect(BOB, `https://x${n}.example`, `2001:db8::${n}`);
  const madeUp = (of: number) =>
    Array.from({ length: 100 }, (_, n) => `${of}${n}`.padStart(64, '0')).join(',');
  for (let ip = 1; ip <= 6; ip += 1) await connect(madeUp(ip), 'https://x.example', `6.6.6.${ip}`);
  expect([await statusOf(page), await statusOf(phishing)]).toEqual(['warning', 'danger']);
});

test('a page is compared with those that opened the connections of a client', async () => {
  const { url } = await startBridge();
  const verify = async (query: Record<string, string>, ip = '1.1.1.1', init: RequestInit = {}) => {
    const answer = await fetch(`${url}/verify?${new URLSearchParams(query)}`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': ip },
      ...init,
    });
    return [answer.status, ((await answer.json()) as { status: unknown }).status];
  };
  await listen(
    url,
    { client_id: `${BOB},${EVE}` },
    { Origin: 'https://app.example', 'X-Forwarded-For': '1.1.1.1' },
  );
  const page = 'https://app.example/a?b';
  expect(await verify({ client_id: BOB, url: page })).toEqual([200, 'ok']);
  expect(await verify({ client_id: EVE.toUpperCase(), url: page, type: 'connect' })).toEqual([200, 'ok']);
  expect(await verify({ client_id: BOB, url: page }, '2.2.2.2')).toEqual([200, 'warning']);
  await listen(
    url,
    { client_id: id('d') },
    { Origin: 'https://app.example', 'X-Forwarded-For': '2001:db8::1' },
  );
  expect(await verify({ client_id: id('d'), url: page }, '2001:db8::2')).toEqual([200, 'ok']);
  expect(await verify({ client_id: id('d'), url: page }, '2001:db8:0:1::1')).toEqual([200, 'warning']);
  expect(await verify({ client_id: BOB, url: 'https://evil.example' })).toEqual([200, 'danger']);
  expect(await verify({ client_id: ANN, url: page })).toEqual([200, 'unknown']);
  const body = JSON.stringify({ client_id: BOB, url: page });
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': '1.1.1.1' };
  expect(await verify({}, '', { body, headers })).toEqual([200, 'ok']);
  expect(await verify({ url: page })).toEqual([400, 400]);
  expect(await verify({ client_id: BOB })).toEqual([400, 400]);
  expect(await verify({ client_id: BOB, url: page, type: 'other' })).toEqual([400, 400]);
});
