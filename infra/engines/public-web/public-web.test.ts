import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { WebAddressRefused, type WebRequest } from '../../../contracts/ports/public-web';
import { CERTIFICATE, startHttpsServer } from '../../../test/doubles/https-server';
import { collectGarbageSoon } from '../../../test/collect-garbage';
import { createPublicWeb, isPublicAddress, type PublicWebOptions } from './public-web';

const seen: IncomingMessage[] = [];
const routes: Record<string, (response: ServerResponse) => void> = {
  '/token.json': response => void response.end('{"name":"T"}'),
  '/gzip': response => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('zipped')),
  '/bomb': response =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(8 * 1024 * 1024))),
  '/brotli-bomb': response =>
    void response
      .writeHead(200, { 'content-encoding': 'br' })
      .end(brotliCompressSync(Buffer.alloc(8 * 1024 * 1024))),
  '/endless': response => endless(response, Buffer.alloc(64 * 1024)),
  // Members of nothing, one after the other (RFC 1952, 2.2).
  '/endless-gzip': response => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    endless(response, Buffer.concat(Array.from({ length: 500 }, () => gzipSync(''))));
  },
  '/slow-head': response => {
    const { socket } = response;
    socket!.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket!.write('x-slow: 1\r\n'), 10);
    socket!.once('close', () => clearInterval(timer));
  },
  '/page': response =>
    void response.writeHead(200, { 'content-type': 'Text/HTML; charset=latin1' }).end('<p>'),
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
function endless(response: ServerResponse, chunk: Buffer): void {
  const write = (): void => {
    if (!response.destroyed) response.write(chunk, write);
  };
  write();
}
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
  const urlOf = (path: string): string =>
    path.startsWith('/') ? `https://tokens.example:${server.port}${path}` : path;
  const limits = { maxBytes: 1024 * 1024, timeoutMs: 60_000, signal };
  const get = (path: string, request: Partial<WebRequest> = {}): Promise<string> =>
    web.get(urlOf(path), { ...limits, ...request }).then(String);
  const read = (path: string, request: Partial<WebRequest> = {}) =>
    web.read(urlOf(path), { ...limits, ...request });
  return Object.assign(get, { read });
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
  ['/brotli-bomb', 'more than'],
  ['/endless', 'more than'],
  ['/endless-gzip', 'more than'],
])('fails for %s', async (path, reason) => {
  await expect(open()(path)).rejects.toThrow(reason);
});

it.each(['/slow', '/slow-head', '/silent'])(
  'does not wait for %s, also when memory is collected meanwhile',
  async path => {
    collectGarbageSoon();
    await expect(open()(path, { timeoutMs: 100 })).rejects.toThrow('not read in 100 ms');
  },
);

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
  'https://0x7f000001/x',
  'https://017700000001/x',
  'https://127.1/x',
  'https://127。0。0。1/x',
  'https://[::1]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://[::ffff:7f00:1]/x',
  'https://[64:ff9b::7f00:1]/x',
  'https://[2002:7f00:1::]/x',
  'https://[fe80::1]/x',
  'https://[fd00::1]/x',
  'https://ｌｏｃａｌｈｏｓｔ/x',
  'https://localhost./x',
  'https://localhost/x',
  'https://metadata.google.internal/x',
  'https://printer.local/x',
  'https://intranet/x',
  `https://tokens.example/${'x'.repeat(5_000)}`,
])('refuses %s', async url => {
  await expect(open({ port: 443 })(url)).rejects.toThrow(WebAddressRefused);
});

it('knows what it has read: the URL after redirects, and the type', async () => {
  const { read } = open();
  const { url, contentType } = await read('/page', { accept: ['text/html'] });
  expect([url, contentType]).toEqual([
    `https://tokens.example:${server.port}/page`,
    'Text/HTML; charset=latin1',
  ]);
  // Requests of the tests before may arrive late.
  expect(seen.find(({ url: path }) => path === '/page')!.headers.accept).toBe('text/html');
  expect(await read('/elsewhere')).toMatchObject({
    url: `https://other.example:${server.port}/token.json`,
    contentType: '',
  });
});

it('reads no document of another type', async () => {
  const { read } = open();
  expect(await read('/page', { accept: ['text/*'] })).toMatchObject({ bytes: Buffer.from('<p>') });
  await expect(read('/page', { accept: ['image/*', 'text/plain'] })).rejects.toThrow('of the type text/html');
  await expect(read('/token.json', { accept: ['image/*'] })).rejects.toThrow('of the type ');
});

it('asks before each request, and requests nothing that is not admitted', async () => {
  const admitted: string[] = [];
  const admit = (url: URL): void => {
    if (url.hostname === 'other.example') throw new Error('too often');
    admitted.push(url.pathname);
  };
  const get = open();
  await expect(get('/elsewhere', { admit })).rejects.toThrow('too often');
  expect(admitted).toEqual(['/elsewhere']);
  expect(seen).toHaveLength(1);
});

it('does not read from a server whose certificate is of another host', async () => {
  await expect(open()(`https://wrong.example:${server.port}/token.json`)).rejects.toThrow('altnames');
  expect(seen).toEqual([]);
});

it('resolves the Punycode form of a name', async () => {
  const names: string[] = [];
  const resolve = async (name: string) => {
    names.push(name);
    return [{ address: '10.0.0.1', family: 4 }];
  };
  const get = open({ resolve });
  await expect(get(`https://tökens.example:${server.port}/x`)).rejects.toThrow('xn--tkens-jua.example');
  expect(names).toEqual(['xn--tkens-jua.example']);
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
  ['::7f00:1', false],
  ['::127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::7f00:1', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['fec0::1', false],
  ['4000::1', false],
  ['fe80::1%eth0', false],
  ['192.88.99.1', false],
  ['2002:7f00:1::', false],
  ['not an address', false],
  ['8.8.8.8', true],
  ['2606:4700:4700::1111', true],
])('takes %s for a public address: %s', (address, expected) =>
  expect(isPublicAddress(address)).toBe(expected),
);
