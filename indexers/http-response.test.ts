import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { COMPRESSED, HttpError, MAX_RETRY_AFTER_MS, responseText, retryAfterMs } from './http-response';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

async function ask(respond: RequestListener, maxBytes?: number): Promise<string> {
  const server = createServer(respond);
  servers.push(server.unref());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return responseText(await request(url, { headers: COMPRESSED }), maxBytes);
}

const TEXT = JSON.stringify({ result: 'ü'.repeat(100_000) });
const answer =
  (encoding: string, body: Buffer): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body);

test.each([
  ['gzip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['identity', Buffer.from(TEXT)],
])('reads a body that is encoded as %s', async (encoding, body) => {
  expect(await ask(answer(encoding, body))).toBe(TEXT);
});

test('asks for compression', async () => {
  const seen = await ask((incoming, response) => response.end(incoming.headers['accept-encoding']));
  expect(seen).toContain('gzip');
});

test.each([
  ['is not compressed as it says', answer('gzip', Buffer.from(TEXT))],
  ['is not compressed as it says, by brotli', answer('br', gzipSync(TEXT))],
  ['is a truncated gzip', answer('gzip', gzipSync(TEXT).subarray(0, 50))],
  ['is a truncated brotli', answer('br', brotliCompressSync(TEXT).subarray(0, 10))],
  ['has an unknown encoding', answer('zstd', Buffer.from(TEXT))],
  ['has two encodings', answer('gzip, gzip', gzipSync(gzipSync(TEXT)))],
] as const)('a body that %s is an error', async (_, respond) => {
  await expect(ask(respond)).rejects.toThrow(/incorrect header|unexpected end|decompress|unknown encoding/i);
});

test('a connection that is lost within a compressed body is an error', async () => {
  const lost: RequestListener = (_request, response) => {
    const body = gzipSync(TEXT);
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length });
    response.write(body.subarray(0, 40), () => response.destroy());
  };
  await expect(ask(lost)).rejects.toThrow(/terminated|closed|aborted|hang up/i);
});

test('a small body cannot become a large one', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  expect(bomb.length).toBeLessThan(60_000);
  await expect(ask(answer('gzip', bomb), 1_000_000)).rejects.toThrow('more than 1000000 bytes');
  await expect(ask(answer('identity', Buffer.alloc(2_000_000)), 1_000_000)).rejects.toThrow('more than');
});

test('another status is an error that says when to ask again', async () => {
  const error = await ask((_request, response) =>
    response.writeHead(429, { 'retry-after': '3' }).end('slow down'),
  ).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({ status: 429, retryAfterMs: 3_000, message: 'HTTP 429' });
});

test.each([
  ['2', 2_000],
  ['Sun, 22 Nov 2026 12:00:05 GMT', 5_000],
  ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
  ['3600', MAX_RETRY_AFTER_MS],
  ['9'.repeat(400), MAX_RETRY_AFTER_MS],
  ['soon', null],
  ['-5', null],
  ['', null],
  [undefined, null],
])('a Retry-After of %p is %p milliseconds', (header, expected) => {
  expect(retryAfterMs(header, Date.parse('2026-11-22T12:00:00Z'))).toBe(expected);
});
