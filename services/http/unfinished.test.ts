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

const echo = endpoint({
  group: 'Toy',
  method: 'POST',
  path: '/echo',
  summary: 'Takes a body',
  body: z.object({ text: z.string() }),
  response: z.object({ length: z.number() }),
});
const never = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/waiting',
  summary: 'Does not answer',
  response: z.object({}),
});
const app = createTestApp([
  bind(echo, async ({ body }) => ({ length: body.text.length })),
  bind(never, () => new Promise(() => undefined)),
]);

const KB = 1_000;
let server: Server;
let closed: number;
const sockets: Socket[] = [];
async function listen(total: number, perCaller: number): Promise<void> {
  closed = 0;
  server = createAppServer(app, {
    unfinishedLimits: { total, perCaller },
    unfinishedCheckMs: 10,
    onRefused: () => (closed += 1),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise(resolve => server.close(resolve));
});

function open(from: string, sent: string): Socket {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined).resume();
  socket.write(sent);
  sockets.push(socket);
  return socket;
}
const [ATTACKER, HONEST] = ['127.0.0.2', '127.0.0.3'];
const unfinished = (bytes: number): string =>
  `POST /echo HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(bytes)}`;
const request = (bytes: number, connection = 'close'): string => {
  const body = JSON.stringify({ text: 'x'.repeat(bytes) });
  return `POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};
const isServed = async (from: string): Promise<boolean> =>
  /^HTTP\/1\.1 200 /.test(await text(open(from, request(30 * KB)).pause()));

it('heads of one address that never end are bounded together, while another begins its own and is served', async () => {
  await listen(1_000 * KB, 250 * KB);
  const slow = open(HONEST, unfinished(9 * KB));
  for (let n = 0; n < 30; n++) open(ATTACKER, unfinished(9 * KB));
  await until(() => closed >= 19);
  expect(await isServed(HONEST)).toBe(true);
  expect(slow.destroyed).toBe(false);
  expect(closed).toBe(19);
});

it('those of all are, at the cost of who has most', async () => {
  await listen(250 * KB, 200 * KB);
  const slow = open(HONEST, unfinished(9 * KB));
  for (const from of [ATTACKER, '127.0.0.4']) for (let n = 0; n < 6; n++) open(from, unfinished(9 * KB));
  await until(() => closed > 0);
  expect(await isServed(HONEST)).toBe(true);
  expect(slow.destroyed).toBe(false);
});

it('a request that is complete is none of them, however large its body is and however many came before', async () => {
  await listen(20 * KB, 20 * KB);
  const one = open(HONEST, '');
  let answers = '';
  one.on('data', (part: Buffer) => (answers += part.toString('latin1')));
  for (let n = 1; n <= 5; n++) {
    one.write(request(50 * KB, 'keep-alive'));
    await until(() => answers.split('HTTP/1.1 200 ').length === n + 1);
    await new Promise(resolve => setTimeout(resolve, 30));
  }
  expect([closed, one.destroyed]).toEqual([0, false]);
  one.write(unfinished(30 * KB));
  await until(() => closed === 1);
});

const waiting = (rest: string): string => `GET /waiting HTTP/1.1\r\nHost: localhost\r\n\r\n${rest}`;
const chunked = (rest: string): string =>
  `POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{"text":"x"}\r\n0\r\n${rest}`;

it.each([
  ['trailers that never end', chunked(`X-Long: ${'x'.repeat(9 * KB)}`)],
  ['heads behind a request that is not answered yet', waiting(unfinished(9 * KB))],
  ['heads of many short fields', `GET /echo HTTP/1.1\r\n${'a:b\r\n'.repeat(1_800)}`],
])('%s are bounded in the same way, beside an honest request', async (_what, sent) => {
  await listen(1_000 * KB, 250 * KB);
  for (let n = 0; n < 30; n++) open(ATTACKER, sent);
  await until(() => closed >= 19);
  expect(await isServed(HONEST)).toBe(true);
  expect(closed).toBe(19);
});

it('a request with trailers, and one behind another, are none of them once they are complete', async () => {
  await listen(20 * KB, 20 * KB);
  const one = open(HONEST, '');
  let answers = '';
  one.on('data', (part: Buffer) => (answers += part.toString('latin1')));
  for (let n = 1; n <= 5; n++) {
    one.write(chunked(`X-Long: ${'x'.repeat(500)}\r\n\r\n`) + chunked('\r\n'));
    await until(() => answers.split('HTTP/1.1 200 ').length === 2 * n + 1);
    await new Promise(resolve => setTimeout(resolve, 30));
  }
  expect([closed, one.destroyed]).toEqual([0, false]);
});
