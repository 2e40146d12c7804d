import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import { bind } from './binding';
import { createAppServer } from './server';

const page = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/page',
  summary: 'Answers',
  query: z.object({ text: z.string().default('') }),
  targetLimit: 20_000,
  response: z.object({ length: z.number() }),
});
const app = createTestApp([bind(page, async ({ query }) => ({ length: query.text.length }))]);

let server: Server;
let refused: number;
const sockets: Socket[] = [];
async function listen(total: number, perCaller: number): Promise<void> {
  refused = 0;
  server = createAppServer(app, { connectionLimits: { total, perCaller }, onRefused: () => (refused += 1) });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise(resolve => server.close(resolve));
});

/** All of 127.0.0.0/8 is this machine. */
function open(from: string, sent = ''): Socket {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  if (sent) socket.write(sent);
  sockets.push(socket);
  return socket;
}
const [ATTACKER, HONEST] = ['127.0.0.2', '127.0.0.3'];
const GET = 'GET /page HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const isServed = async (from: string): Promise<boolean> =>
  /^HTTP\/1\.1 200 /.test(await text(open(from, GET)).catch(() => ''));
const openOnes = (): number => sockets.filter(({ closed, connecting }) => !closed && !connecting).length;

it('one address has its share of connections, with heads that never end, while another is served', async () => {
  await listen(100, 5);
  for (let n = 0; n < 40; n++) open(ATTACKER, 'GET /page HTTP/1.1\r\nHost: localhost\r\nX-Long: xxxx');
  await until(() => refused === 35 && openOnes() === 5);
  expect(await isServed(HONEST)).toBe(true);
  expect(await isServed(ATTACKER)).toBe(false);
});

it('once all are taken, the newest of the address with most makes room for one with fewer', async () => {
  await listen(6, 3);
  for (const from of ['127.0.0.2', '127.0.0.4'])
    for (let n = 0; n < 3; n++) {
      open(from, 'GET /page');
      await until(() => openOnes() === sockets.length);
    }
  expect(await isServed(HONEST)).toBe(true);
  expect(refused).toBe(1);
  expect(sockets.slice(0, 6).map(({ destroyed }) => destroyed)).toEqual([
    false,
    false,
    true,
    false,
    false,
    false,
  ]);
});

it('a share is given back with its connection', async () => {
  await listen(10, 1);
  for (let n = 0; n < 5; n++) expect(await isServed(HONEST)).toBe(true);
  expect(refused).toBe(0);
});

describe('the head of a request', () => {
  it.each([
    [19_000, 200],
    [30_000, 414],
    [50_000, 414],
  ])('with %i bytes of path and query is answered with %i', async (length, status) => {
    await listen(0, 0);
    const answer = await text(open(HONEST, GET.replace('/page', `/page?text=${'x'.repeat(length)}`)));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('takes no more memory than the largest that an endpoint takes needs, while others are served', async () => {
    await listen(0, 0);
    const attack = open(ATTACKER, 'GET /page HTTP/1.1\r\nHost: localhost\r\nX-Long: ');
    const ended = once(attack.resume(), 'close');
    for (let sent = 0; sent < 1_000_000 && !attack.destroyed; sent += 1_000) {
      attack.write('x'.repeat(1_000));
      await new Promise(resolve => setImmediate(resolve));
    }
    await ended;
    expect(attack.bytesWritten).toBeLessThan(500_000);
    expect(await isServed(HONEST)).toBe(true);
  });
});
