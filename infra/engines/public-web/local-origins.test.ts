import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebAddressRefused, type PublicWeb } from '../../../contracts/ports/public-web';
import { HttpError } from '../../../indexers/http-response';
import { withLocalOrigins } from './local-origins';
import { createPublicWeb } from './public-web';

const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(request.url!);
  if (request.url === '/documents/moved') response.writeHead(302, { location: '/secret' }).end();
  else if (request.url === '/documents/huge') response.end(Buffer.alloc(1_000));
  else if (request.url !== '/documents/silent') response.end('{"name":"T"}');
});
const guarded = createPublicWeb();
let web: PublicWeb;
let base: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  web = withLocalOrigins(guarded, new Map([['https://testnet.local.invalid', `${base}/documents`]]));
});
afterAll(async () => {
  await guarded.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => void (seen.length = 0));

const get = (url: string, timeoutMs = 60_000): Promise<string> =>
  web.get(url, { maxBytes: 100, timeoutMs, signal: new AbortController().signal }).then(String);

it('reads a URL of a local origin from its base', async () => {
  expect(await get('https://testnet.local.invalid/token.json')).toBe('{"name":"T"}');
  expect(seen).toEqual(['/documents/token.json']);
});

it('reaches nothing else of the server', async () => {
  for (const path of ['/../secret', '/%2e%2e/secret', '//secret', '/\\..\\secret', '@127.0.0.1/secret'])
    await get(`https://testnet.local.invalid${path}`).catch(() => undefined);
  expect(seen.filter(path => !path.startsWith('/documents/'))).toEqual([]);
  await expect(get('https://testnet.local.invalid/moved')).rejects.toEqual(new HttpError(302));
  expect(seen).not.toContain('/secret');
});

it('ends in time, and with too much', async () => {
  await expect(get('https://testnet.local.invalid/silent', 100)).rejects.toThrow('not read in 100 ms');
  await expect(get('https://testnet.local.invalid/huge')).rejects.toThrow('more than');
});

it.each([
  ['the address itself', () => `${base}/documents/token.json`],
  ['another scheme', () => 'http://testnet.local.invalid/token.json'],
  ['another port', () => 'https://testnet.local.invalid:4100/token.json'],
  ['another name', () => 'https://mainnet.local.invalid.example.localhost/token.json'],
  ['no URL', () => 'testnet.local.invalid'],
])('refuses %s as the public web does', async (_what, url) => {
  await expect(get(url())).rejects.toThrow(WebAddressRefused);
  expect(seen).toEqual([]);
});
