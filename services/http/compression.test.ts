import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { immutable } from '../../contracts/http/immutable-response';
import { jsonArray, JsonText } from '../../contracts/json/json-text';
import { createTestApp } from '../../test/app';
import { endedFeed } from '../../test/ended-feed';
import { bind } from './binding';
import { Reply } from './call';
import { JsonStream } from './json-stream';
import { createAppServer } from './server';

const common = { group: 'Toy', summary: 'Toy', method: 'GET' } as const;
const response = z.array(z.string());
const LONG = Array.from({ length: 200 }, (_, n) => `row ${n}`);
const TEXT = JSON.stringify(LONG);
const page = immutable([...LONG]);
const texts = immutable(jsonArray(LONG.map(row => new JsonText<string>(JSON.stringify(row)))));

async function* parts() {
  yield TEXT.slice(0, 100);
  yield TEXT.slice(100);
}

const of = (path: string, more: object = {}) => endpoint({ ...common, path, response, ...more });
const app = createTestApp(
  [
    bind(of('/page', { etag: true }), async () => page),
    bind(of('/texts', { etag: true }), async () => texts as never),
    bind(of('/fresh'), async () => [...LONG]),
    bind(of('/short'), async () => ['a']),
    bind(of('/stream'), async () => JsonStream.start(parts()) as never),
    bind(
      endpoint({ ...common, path: '/csv', kind: 'raw', contentType: 'text/csv; charset=utf-8' }),
      async () => TEXT,
    ),
    bind(
      endpoint({
        ...common,
        path: '/image',
        kind: 'raw',
        contentType: 'image/webp',
        responseHeaders: { 'Cache-Control': 'x' },
      }),
      async () => new Reply(Buffer.from(TEXT), { 'Cache-Control': 'no-store' }),
    ),
    bind(endpoint({ ...common, path: '/events', kind: 'sse', response }), async () => endedFeed(TEXT)),
  ],
  { checkResponses: false },
);
const server = createAppServer(app);
let port: number;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise(resolve => server.close(resolve)));

/** The bytes as they are sent. */
async function get(
  path: string,
  headers: Record<string, string> = { 'accept-encoding': 'gzip, deflate, br' },
  method = 'GET',
): Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }> {
  const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(chunks) };
}

test.each(['/page', '/texts', '/fresh', '/stream', '/csv'])(
  '%s is compressed for who asks for it',
  async path => {
    for (const asked of ['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8, *;q=0.1', '*']) {
      const { headers, bytes } = await get(path, { 'accept-encoding': asked });
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(gunzipSync(bytes).toString()).toBe(TEXT);
      expect(bytes.length).toBeLessThan(TEXT.length / 2);
      if (path !== '/stream') expect(headers['content-length']).toBe(String(bytes.length));
    }
  },
);

test.each(['/page', '/texts', '/fresh', '/stream', '/csv'])(
  '%s is sent as it is to others, and caches are told that it differs',
  async path => {
    for (const asked of [{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'gzip;q=0, br' }]) {
      const { headers, bytes } = await get(path, asked as Record<string, string>);
      expect(headers).toMatchObject({ vary: 'Accept-Encoding' });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(bytes.toString()).toBe(TEXT);
    }
  },
);

test.each(['/openapi.json', '/docs/assets/swagger-ui.css', '/docs/assets/swagger-ui-bundle.js'])(
  '%s is compressed, and not sent to who has it',
  async path => {
    const [plain, compressed] = [await get(path, {}), await get(path)];
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(gunzipSync(compressed.bytes).equals(plain.bytes)).toBe(true);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': compressed.headers.etag! });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  },
);

test.each(['/short', '/image', '/events', '/unknown'])('%s is never compressed', async path => {
  expect((await get(path)).headers).not.toHaveProperty('content-encoding');
});

test.each(['/page', '/texts'])(
  '%s has a validator of its own for each encoding, and a HEAD its head',
  async path => {
    const compressed = await get(path);
    const plain = await get(path, {});
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    for (const [encoding, { headers }] of [
      ['gzip', compressed],
      ['identity', plain],
    ] as const) {
      const asked = { 'accept-encoding': encoding };
      const cached = await get(path, { ...asked, 'if-none-match': headers.etag! });
      expect([cached.status, cached.bytes.length, cached.headers.etag]).toEqual([304, 0, headers.etag]);
      expect(cached.headers.vary).toBe('Accept-Encoding');
      // Clients would unzip what has no body.
      expect(cached.headers).not.toHaveProperty('content-encoding');
      const other = encoding === 'gzip' ? plain : compressed;
      expect((await get(path, { ...asked, 'if-none-match': other.headers.etag! })).status).toBe(200);
      const head = await get(path, asked, 'HEAD');
      expect(head.bytes).toHaveLength(0);
      for (const name of ['etag', 'vary', 'content-encoding', 'content-length', 'content-type'])
        expect(head.headers[name]).toBe(headers[name]);
    }
  },
);
