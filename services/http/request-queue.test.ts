import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import { bind } from './binding';
import { createRequestQueue } from './request-queue';
import { createAppServer } from './server';

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve));

/** Requests that arrive before the process looks at any of them, and those that were begun, in their order. */
function arriving(maxWaitingBytes?: number) {
  const queue = createRequestQueue(maxWaitingBytes);
  const begun: string[] = [];
  const refused: string[] = [];
  const gone = new Set<string>();
  const arrive = (caller: string, name = caller, headBytes = 0): void =>
    queue.arrive({
      caller: () => caller,
      headBytes,
      isOpen: () => !gone.has(name),
      begin: () => begun.push(name),
      refuse: () => refused.push(name),
    });
  return { begun, refused, gone, arrive };
}

test('few requests are begun as they arrive', async () => {
  const { begun, arrive } = arriving();
  for (let round = 1; round <= 5; round += 1) {
    for (let n = 0; n < 8; n += 1) arrive(`caller ${n % 2}`);
    expect(begun).toHaveLength(8 * round);
    // Those that were begun are looked at once more.
    for (let n = 0; n < 2; n += 1) await nextTurn();
  }
});

test('of many requests each caller has its oldest begun in turn, and all are begun', async () => {
  const { begun, arrive } = arriving();
  for (let n = 0; n < 500; n += 1) arrive(`stranger ${n % 3}`);
  arrive('honest', 'first');
  arrive('honest', 'second');
  expect(begun).toHaveLength(8);
  await until(() => begun.length === 502);
  expect(begun.indexOf('first')).toBeLessThan(8 + 4);
  expect(begun.indexOf('second')).toBeLessThan(8 + 8);
});

test('what its client has given up is not begun', async () => {
  const { begun, gone, arrive } = arriving();
  for (let n = 0; n < 20; n += 1) arrive('stranger', `request ${n}`);
  for (let n = 8; n < 19; n += 1) gone.add(`request ${n}`);
  await until(() => begun.includes('request 19'));
  expect(begun).toHaveLength(9);
});

test('of too much that waits the newest of the caller with most is refused, and large heads count more', async () => {
  const { begun, refused, arrive } = arriving(100 * 1024);
  for (let n = 0; n < 8; n += 1) arrive('stranger', 'begun');
  for (let n = 0; n < 10; n += 1) arrive('stranger', `small ${n}`);
  arrive('stranger', 'large', 40 * 1024);
  expect(refused).toEqual(['large']);
  for (let n = 0; n < 3; n += 1) arrive('honest', 'honest');
  expect(refused).toEqual(['large', 'small 9']);
  await until(() => begun.length === 8 + 9 + 3);
});

/** Takes the main thread for a while. */
function busy(): void {
  const end = performance.now() + 3;
  while (performance.now() < end);
}

test('a connection that waits behind hundreds of another caller is accepted, and its request begun, after some of theirs', async () => {
  const queue = createRequestQueue();
  const begun: string[] = [];
  const connections = [...Array.from({ length: 300 }, () => 'stranger'), 'honest'];
  /** As Node: one is accepted between two looks, and what the one before has sent arrives. */
  for (const [n, caller] of [...connections.entries(), [301, ''] as const]) {
    if (caller !== '') queue.accepted();
    const before = connections[n - 1];
    if (before !== undefined)
      queue.arrive({
        caller: () => before,
        headBytes: 0,
        isOpen: () => true,
        refuse: () => undefined,
        begin() {
          begun.push(before);
          busy();
        },
      });
    await nextTurn();
  }
  await until(() => begun.length === 301);
  expect(begun.indexOf('honest')).toBeLessThan(150);
});

const slow = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/slow/{name}',
  summary: 'Takes the main thread for a while',
  params: z.object({ name: z.string() }),
  response: z.string(),
});

/** A server that trusts a proxy, and connections to it that it has accepted. */
async function served(app: ReturnType<typeof createTestApp>, connections: number) {
  const server = createAppServer(app).listen(0, '127.0.0.1');
  let accepted = 0;
  server.on('connection', () => (accepted += 1));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.resume();
    await once(socket, 'connect');
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: connections }, open));
  await until(() => accepted === connections);
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { server, sockets, close };
}

test('hundreds of requests of one address delay that of another by a few', async () => {
  const begun: string[] = [];
  const app = createTestApp(
    [
      bind(slow, async ({ params: { name } }) => {
        begun.push(name);
        busy();
        return name;
      }),
    ],
    { trustedProxies: 1 },
  );
  const { sockets, close } = await served(app, 201);
  for (const [n, socket] of sockets.entries()) {
    const [name, from] = n < 200 ? ['stranger', '203.0.113.1'] : ['honest', '192.0.2.1'];
    socket.write(`GET /slow/${name} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\n\r\n`);
  }
  await until(() => begun.length === 201);
  expect(begun.indexOf('honest')).toBeLessThan(100);
  close();
});

test('the duration of a request has the time that it waited for its turn', async () => {
  const arrived = new Map<string, number>();
  const waited = new Map<string, number>();
  const durations: number[] = [];
  const app = createTestApp(
    [
      bind(slow, async ({ params: { name } }) => {
        waited.set(name, performance.now() - arrived.get(`/slow/${name}`)!);
        busy();
        return name;
      }),
    ],
    { onHandled: ({ seconds }) => durations.push(1_000 * seconds) },
  );
  const { server, sockets, close } = await served(app, 100);
  server.prependListener('request', ({ url }) => arrived.set(url!, performance.now()));
  for (const [n, socket] of sockets.entries()) socket.write(`GET /slow/${n} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await until(() => durations.length === 100);
  expect(Math.max(...durations)).toBeGreaterThanOrEqual(Math.max(...waited.values()));
  close();
});
