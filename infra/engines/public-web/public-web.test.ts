import type { IncomingMessage, ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { WebAddressRefused } from '../../../contracts/ports/public-web';
import { CERTIFICATE, startHttpsServer } from '../../../test/doubles/https-server';
import { createPublicWeb, isPublicAddress, type PublicWebOptions } from './public-web';

const seen: IncomingMessage[] = [];
const routes: Record<string, (response: ServerResponse) => void> = {
  '/token.json': response => void response.end('{"name":"T"}'),
  '/gzip': response => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('zipped')),
  '/bomb': response =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(8 * 1024 * 1024))),
  '/huge': response => void response.end(Buffer.alloc(2 * 1024 * 1024)),
  '/slow': response => void response.write('{'),
  '/silent': () => undefined,
  '/missing': response => void response.writeHead(404).end(),
  '/moved': response => redirect(response, '/token.json'),
  '/elsewhere': response => redirect(response, `https://other.example:${server.port}/token.json`),
  '/loop': response => redirect(response, '/loop'),
  '/to-metadata': response => redirect(response, 'https://169.254.169.254/latest/meta-data/'),
  '/to-http': response => redirect(response, `http://tokens.example:${server.port}/token.json`),
  '/to-file': response => redirect(response, 'file:///etc/passwd'),
  '/to-private': response => redirect(response, `https://private.example:${server.port}/token.json`),
  '/to-nowhere': response => void response.writeHead(302).end(),
};
const redirect = (response: ServerResponse, location: string): void =>
  void response.writeHead(302, { location, 'set-cookie': 'a=b' }).end();

let server: Awaited<ReturnType<typeof startHttpsServer>>;
const webs: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  server = await startHttpsServer((request, response) => {
    seen.push(request);
    routes[request.url!]!(response);
  });
});
afterAll(async () => {
  await Promise.all(webs.map(web => web.close()));
  await server.close();
});
beforeEach(() => void (seen.length = 0));

const HOSTS: Readonly<Record<string, string>> = { 'private.example': '10.0.0.7' };

/** As in production, except that the names are those of this machine. */
function open(options: PublicWebOptions = {}) {
  const web = createPublicWeb({
    port: server.port,
    ca: CERTIFICATE,
    resolve: async name => [{ address: HOSTS[name] ?? '127.0.0.1', family: 4 }],
    isAllowed: address => address === '127.0.0.1',
    ...options,
  });
  webs.push(web);
  const { signal } = new AbortController();
  return (path: string, { maxBytes = 1024 * 1024, timeoutMs = 60_000 } = {}): Promise<string> =>
    web
      .get(path.startsWith('/') ? `https://tokens.example:${server.port}${path}` : path, {
        maxBytes,
        timeoutMs,
        signal,
      })
      .then(String);
}

it('reads a document, compressed or not, without cookies', async () => {
  const get = open();
  expect(await get('/token.json')).toBe('{"name":"T"}');
  expect(await get('/gzip')).toBe('zipped');
  expect(seen[0]!.headers).toMatchObject({ 'user-agent': 'Tidemark' });
});

it('follows redirects, also to another host, and sends it no cookies', async () => {
  const get = open();
  expect(await get('/moved')).toBe('{"name":"T"}');
  expect(await get('/elsewhere')).toBe('{"name":"T"}');
  expect(seen.at(-1)!.headers.host).toBe(`other.example:${server.port}`);
  expect(seen.at(-1)!.headers.cookie).toBeUndefined();
});

it.each(['/to-metadata', '/to-http', '/to-file', '/to-private'])('refuses the redirect of %s', async path => {
  await expect(open()(path)).rejects.toThrow(
    path === '/to-private' ? 'resolves to 10.0.0.7' : WebAddressRefused,
  );
  expect(seen).toHaveLength(1);
});

it.each([
  ['/loop', 'redirects'],
  ['/to-nowhere', 'HTTP 302'],
  ['/missing', 'HTTP 404'],
  ['/huge', 'more than'],
  ['/bomb', 'more than'],
])('fails for %s', async (path, reason) => {
  await expect(open()(path)).rejects.toThrow(reason);
});

it.each(['/slow', '/silent'])('does not wait for %s, also when memory is collected meanwhile', async path => {
  setFlagsFromString('--expose-gc');
  setTimeout(runInNewContext('gc') as () => void, 50);
  await expect(open()(path, { timeoutMs: 100 })).rejects.toThrow('not read in 100 ms');
});

it.each([
  'http://tokens.example/x',
  'ftp://tokens.example/x',
  'file:///etc/passwd',
  'data:application/json,{}',
  'nonsense',
  'https://user:secret@tokens.example/x',
  'https://tokens.example:22/x',
  'https://127.0.0.1/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://0177.0.0.1/x',
  'https://127。0。0。1/x',
  'https://[::1]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://localhost/x',
  'https://metadata.google.internal/x',
  'https://printer.local/x',
  'https://intranet/x',
  `https://tokens.example/${'x'.repeat(5_000)}`,
])('refuses %s', async url => {
  await expect(open({ port: 443 })(url)).rejects.toThrow(WebAddressRefused);
});

it('refuses a name of which one address is private, and connects to none of them', async () => {
  const resolve = async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ];
  await expect(open({ resolve, isAllowed: isPublicAddress })('/token.json')).rejects.toThrow(
    'resolves to 127.0.0.1',
  );
  expect(seen).toEqual([]);
});

it('checks the address of each connection: a name may resolve to another one the next time', async () => {
  const answers = ['127.0.0.1', '10.0.0.1'];
  const resolve = async () => [{ address: answers.shift()!, family: 4 }];
  await expect(open({ resolve })('/elsewhere')).rejects.toThrow('resolves to 10.0.0.1');
});

it.each([
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.0.1', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['224.0.0.1', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['198.18.0.1', false],
  ['192.0.2.1', false],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fc00::1', false],
  ['ff02::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['not an address', false],
  ['8.8.8.8', true],
  ['2606:4700:4700::1111', true],
])('takes %s for a public address: %s', (address, expected) =>
  expect(isPublicAddress(address)).toBe(expected),
);
