import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { createTestApp } from '../../test/app';
import { countLooks } from '../../test/count-looks';
import { until } from '../../test/until';
import { bind } from './binding';
import { createIncompleteBodies } from './incomplete-bodies';
import { createAppServer } from './server';

const KB = 1_024;
const toy = {
  group: 'Toy',
  method: 'POST',
  summary: 'Toy',
  response: z.object({ length: z.number() }),
} as const;
const body = z.object({ text: z.string() });
const store = endpoint({ ...toy, path: '/store', body, bodyLimit: 1_000 * KB });
const imports = endpoint({
  ...toy,
  path: '/imports',
  body,
  bodyLimit: 2_000 * KB,
  auth: 'bearer',
  role: 'viewer',
});
const quiet = endpoint({ ...toy, method: 'GET', path: '/quiet' });

let server: Server;
let answer: (() => void) | undefined;
const sockets: Socket[] = [];
async function listen(total: number, perCaller: number, trustedProxies = 0): Promise<void> {
  const lengthOf = async ({ body }: { body: { text: string } }) => ({ length: body.text.length });
  const app = createTestApp(
    [
      bind(store, lengthOf),
      bind(imports, lengthOf),
      bind(quiet, () => new Promise(resolve => (answer = () => resolve({ length: 0 })))),
    ],
    {
      incompleteBodyLimits: { total, perCaller },
      trustedProxies,
      limits: NO_LIMITS,
      authenticate: {
        bearer: async authorization => {
          if (!authorization) throw new Problem('unauthenticated', 'A bearer token is required.');
          return { subject: authorization, issuer: 'instance', role: 'viewer', secureSessionAge: null };
        },
      },
    },
  );
  server = createAppServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise(resolve => server.close(resolve));
});

function open(from: string, ...sent: (string | Buffer)[]): Socket {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  for (const each of sent) socket.write(each);
  sockets.push(socket);
  return socket;
}
const headOf = (path: string, length: number, ...fields: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    ...['Host: localhost', 'Content-Type: application/json', `Content-Length: ${length}`, ...fields],
    '\r\n',
  ].join('\r\n');
const TOKEN = 'Authorization: Bearer finance';

/** The status lines of what unfinished requests were answered. */
const refused: string[] = [];
beforeEach(() => void refused.splice(0));
function incomplete(from: string, bytes: number, ...fields: string[]): Socket {
  const sent = Buffer.alloc(bytes, 'x');
  const socket = open(from, headOf('/store', bytes + 1, ...fields), sent);
  socket.on('data', (answer: Buffer) => refused.push(answer.toString().split('\r\n', 1)[0]!));
  return socket;
}
const bodyOf = (bytes: number): string => JSON.stringify({ text: 'x'.repeat(bytes) });
async function send(from: string, bytes: number, path = '/store', ...fields: string[]): Promise<string> {
  const sent = bodyOf(bytes);
  const head = headOf(path, sent.length, 'Connection: close', ...fields);
  return (await text(open(from, head, sent))).split('\r\n\r\n')[1]!;
}

const [ATTACKER, HONEST] = ['127.0.0.2', '127.0.0.3'];
const REFUSED = 'HTTP/1.1 503 Service Unavailable';

it('bodies of one address that never end are bounded together, while another sends a large one and is served', async () => {
  await listen(4_000 * KB, 1_000 * KB);
  for (let n = 0; n < 30; n++) incomplete(ATTACKER, 200 * KB);
  // A fifth of 200 kB is over the share; each has the weight of its request too.
  await until(() => refused.length === 26);
  expect(await send(HONEST, 900 * KB)).toBe(`{"length":${900 * KB}}`);
  expect(new Set(refused)).toEqual(new Set([REFUSED]));
  expect(refused).toHaveLength(26);
});

it('those of all addresses are bounded, at the cost of the caller with most, whose newest are refused', async () => {
  await listen(1_000 * KB, 600 * KB);
  for (const from of [ATTACKER, '127.0.0.4', '127.0.0.5'])
    for (let n = 0; n < 5; n++) incomplete(from, 80 * KB);
  await until(() => refused.length >= 4);
  const first = bodyOf(100 * KB);
  const slow = open(HONEST, headOf('/store', first.length, 'Connection: close'), first.slice(0, 50 * KB));
  expect(await send(HONEST, 100 * KB)).toBe(`{"length":${100 * KB}}`);
  slow.write(first.slice(50 * KB));
  expect(await text(slow)).toContain(`{"length":${100 * KB}}`);
});

it('those of all addresses are bounded without a look at all who send', () => {
  const bodies = createIncompleteBodies({ total: 2_000 * 20 * KB, perCaller: 1_000 * KB });
  const refused: string[] = [];
  const begin = (ip: string): unknown =>
    bodies.begin({ ip, principal: null }, 10 * KB, () => void refused.push(ip));
  for (let n = 0; n < 1_000; n += 1)
    for (let each = 0; each < 2; each += 1) begin(`10.0.${n >> 8}.${n & 255}`);
  const looks = countLooks(() => {
    for (let n = 0; n < 20; n += 1) begin(`10.1.0.${n}`);
  });
  expect(refused).toHaveLength(20);
  expect(refused.some(ip => ip.startsWith('10.1.'))).toBe(false);
  expect(looks).toBeLessThan(1_000);
});

it('the largest body of a caller with a token is read while strangers of any number of addresses take all', async () => {
  await listen(4_000 * KB, 2_500 * KB);
  for (let n = 0; n < 50; n++) incomplete(`127.0.1.${n + 1}`, 100 * KB);
  await until(() => refused.length > 0);
  expect(await send(HONEST, 1_900 * KB, '/imports', TOKEN)).toBe(`{"length":${1_900 * KB}}`);
});

it('behind a proxy the caller is who it names', async () => {
  await listen(4_000 * KB, 1_000 * KB, 1);
  const proxy = '127.0.0.1';
  for (let n = 0; n < 30; n++) incomplete(proxy, 200 * KB, 'X-Forwarded-For: 198.51.100.1');
  await until(() => refused.length === 26);
  expect(await send(proxy, 900 * KB, '/store', 'X-Forwarded-For: 198.51.100.2')).toBe(
    `{"length":${900 * KB}}`,
  );
});

it('a body counts with what it is decompressed to, and with each of its parts', async () => {
  await listen(4_000 * KB, 1_000 * KB);
  const compressed = gzipSync(Buffer.alloc(600 * KB, 'x'));
  const gzipped = open(
    ATTACKER,
    headOf('/store', compressed.length, 'Content-Encoding: gzip'),
    compressed.subarray(0, -8),
  );
  expect(String((await once(gzipped, 'data'))[0])).toContain(REFUSED);
  const chunked = open(
    ATTACKER,
    'POST /store HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n',
    `12c\r\n${'x'.repeat(300)}\r\n`.repeat(2 * KB),
  );
  expect(String((await once(chunked, 'data'))[0])).toContain(REFUSED);
  const honest = gzipSync(bodyOf(200 * KB));
  const fields = ['Connection: close', 'Content-Encoding: gzip'];
  expect(await text(open(HONEST, headOf('/store', honest.length, ...fields), honest))).toContain(
    `{"length":${200 * KB}}`,
  );
});

it('what has been read, refused or given up makes room', async () => {
  await listen(1_000 * KB, 500 * KB);
  for (let n = 0; n < 5; n++) {
    expect(await send(HONEST, 400 * KB)).toBe(`{"length":${400 * KB}}`);
    expect(await send(HONEST, 1_100 * KB)).toContain('"code":"body_too_large"');
    const left = incomplete(HONEST, 400 * KB);
    await until(() => Promise.resolve(left.bytesWritten > 400 * KB && left.writableLength === 0));
    left.destroy();
    await once(left, 'close');
    expect(await send(HONEST, 10)).toBe('{"length":10}');
  }
});

it('a body that nobody asks for does not wait while the call does', async () => {
  await listen(1_000 * KB, 500 * KB);
  const sent = 4_000 * KB;
  const socket = open(
    HONEST,
    `GET /quiet HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${sent}\r\n\r\n`,
    Buffer.alloc(sent),
  );
  const [accepted] = (await once(server, 'connection')) as [Socket];
  await until(() => Promise.resolve(accepted.bytesRead > sent));
  answer!();
  expect(String((await once(socket, 'data'))[0])).toContain('{"length":0}');
});
