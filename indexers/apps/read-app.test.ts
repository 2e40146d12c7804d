import type { IncomingMessage, ServerResponse } from 'node:http';
import sharp from 'sharp';
import type { PublicWeb, WebDocument } from '../../contracts/ports/public-web';
import { createPublicWeb } from '../../infra/engines/public-web/public-web';
import { CERTIFICATE, startHttpsServer } from '../../test/doubles/https-server';
import { createHostLimit, HostBusy } from './host-limit';
import { readApp } from './read-app';

const APP = 'https://app.example.com';
const { signal } = new AbortController();
const png = (): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
const page = (inside: string): string => `<head>${inside}</head><body>`;

/** A double of the web: documents by URL, with their type; a page unless it is JSON or bytes. */
function webOf(
  documents: Readonly<Record<string, string | object | Buffer>>,
): PublicWeb & { reads: string[] } {
  const reads: string[] = [];
  async function read(url: string): Promise<WebDocument> {
    reads.push(url);
    const document = documents[url];
    if (document === undefined) throw new Error(`${url} cannot be read`);
    if (Buffer.isBuffer(document)) return { bytes: document, url, contentType: 'image/png' };
    const isPage = typeof document === 'string';
    const bytes = Buffer.from(isPage ? document : JSON.stringify(document));
    return { bytes, url, contentType: isPage ? 'text/html; charset=utf-8' : 'application/json' };
  }
  return { reads, read, get: async url => (await read(url)).bytes };
}

const ASKED = { caller: null, isKnown: true };
const read = (web: PublicWeb, url = APP, hosts = createHostLimit(100)) =>
  readApp({ web, caller: '192.0.2.1', admit: hostname => hosts.admit(hostname, ASKED) }, url, signal);

it('prefers the manifest for TON Connect, then the web app manifest, then the page', async () => {
  const [tonConnect, webApp, html] = [
    { url: APP, name: 'By TON Connect' },
    { name: 'By the web app', description: 'Of the web app', theme_color: '#ABC' },
    page(
      '<title>By the page</title><meta name=description content="Of the page"><meta name=theme-color content=#123456>',
    ),
  ];
  const linked = html.replace('</head>', '<link rel=manifest href=/app.json></head>');
  expect(
    await read(
      webOf({ [APP]: linked, [`${APP}/tonconnect-manifest.json`]: tonConnect, [`${APP}/app.json`]: webApp }),
    ),
  ).toMatchObject({ title: 'By TON Connect', description: 'Of the web app', color: '#aabbcc' });
  expect(await read(webOf({ [APP]: linked, [`${APP}/app.json`]: webApp }))).toMatchObject({
    title: 'By the web app',
  });
  expect(await read(webOf({ [APP]: linked }))).toEqual({
    title: 'By the page',
    description: 'Of the page',
    color: '#123456',
    originalImage: null,
    preview: null,
  });
});

it('shows the first image that can be decoded, and names it', async () => {
  const links = ['/a.svg', 'b.png', '/c.png'].map(href => `<link rel=icon href="${href}">`).join('');
  const web = webOf({
    [APP]: page(links),
    [`${APP}/b.png`]: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    [`${APP}/c.png`]: await png(),
  });
  expect(await read(web)).toMatchObject({
    originalImage: `${APP}/c.png`,
    preview: { blurhash: expect.stringMatching(/^.{36}$/) as string },
  });
  expect(web.reads).not.toContain(`${APP}/a.svg`);
  expect(await read(webOf({ [APP]: page(links) }))).toMatchObject({
    originalImage: `${APP}/a.svg`,
    preview: null,
  });
});

it.each([
  'http://app.example.com/i.png',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  'https://a:b@c.example.com/i.png',
])('names no image at %s', async href => {
  expect(await read(webOf({ [APP]: page(`<link rel=icon href="${href}">`) }))).toMatchObject({
    originalImage: null,
  });
});

it('takes the manifest of the host for an application that it is of', async () => {
  const url = `${APP}/swap`;
  const manifest = { url: `${url}/`, name: 'Swap' };
  const web = (json: object) => webOf({ [`${APP}/tonconnect-manifest.json`]: json });
  expect(await read(web(manifest), url)).toMatchObject({ title: 'Swap' });
  expect(await read(web({ ...manifest, url: APP }), url)).toBeNull();
});

it('is null for an application of which nothing can be read', async () => {
  expect(await read(webOf({}))).toBeNull();
});

it.each([
  ['the server', 'text/html; charset=windows-1251', ''],
  ['the page', 'text/html', '<meta charset="windows-1251">'],
])('reads the encoding that %s names', async (_who, contentType, meta) => {
  const html = Buffer.concat([
    Buffer.from(`${meta}<title>`),
    Buffer.from([0xd2, 0xee, 0xed]),
    Buffer.from('</title>'),
  ]);
  const web: PublicWeb = {
    ...webOf({}),
    async read(url) {
      if (url !== APP) throw new Error('not there');
      return { bytes: html, url, contentType };
    },
  };
  expect(await read(web)).toMatchObject({ title: 'Тон' });
});

it('keeps what is said short, and on one line', async () => {
  const title = ` A\n\n\tB ${'x'.repeat(5_000)}`;
  const found = await read(
    webOf({ [APP]: page(`<title>${title}</title><meta name=theme-color content="url(//evil)">`) }),
  );
  expect(found!.title).toMatch(/^A B x{200,252}$/);
  expect(found!.color).toBeNull();
});

it('shows nothing in another order than it is written, and nothing that cannot be seen', async () => {
  const named = (name: string) =>
    read(
      webOf({ [APP]: page(`<title>${name}</title><meta name=description content="a\u202eb\u2066\u2028c">`) }),
    );
  expect(await named('Wallet \u202enot\u202c')).toMatchObject({ title: 'Wallet not', description: 'ab c' });
  expect(await named('\u200b\u2800')).toMatchObject({ title: null });
});

describe('of servers', () => {
  const seen: string[] = [];
  let server: Awaited<ReturnType<typeof startHttpsServer>>;
  let web: ReturnType<typeof createPublicWeb>;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  beforeAll(async () => {
    server = await startHttpsServer((request, response) => {
      seen.push(`${request.headers.host!.split(':')[0]}${request.url}`);
      answer(request, response);
    });
    web = createPublicWeb({
      port: server.port,
      ca: CERTIFICATE,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isAllowed: address => address === '127.0.0.1',
    });
  });
  afterAll(async () => {
    await web.close();
    await server.close();
  });
  beforeEach(() => void (seen.length = 0));
  const url = () => `https://tokens.example:${server.port}`;
  const html = (response: ServerResponse, text: string) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(text);

  it('reads an application over TLS, with an image of another host', async () => {
    const icon = await png();
    answer = ({ url: path }, response) => {
      if (path === '/icon.png') response.writeHead(200, { 'content-type': 'image/png' }).end(icon);
      else if (path === '/')
        html(
          response,
          page(`<title>App</title><link rel=icon href="https://other.example:${server.port}/icon.png">`),
        );
      // As applications of one page answer for every path.
      else html(response, '<title>Not a manifest</title>');
    };
    expect(await read(web, url())).toMatchObject({
      title: 'App',
      preview: { digest: expect.any(String) as string },
    });
    expect(seen.sort()).toEqual([
      'other.example/icon.png',
      'tokens.example/',
      'tokens.example/tonconnect-manifest.json',
    ]);
  });

  it('reads no image that a page names in a private network', async () => {
    answer = (_, response) =>
      html(
        response,
        page(
          '<title>App</title><link rel=icon href="https://169.254.169.254/latest/meta-data/"><link rel=icon href="https://localhost/i.png">',
        ),
      );
    expect(await read(web, url())).toMatchObject({ title: 'App', preview: null });
    expect(seen.filter(path => !path.startsWith('tokens.example/'))).toEqual([]);
  });

  it('asks no host more often than it may, through redirects neither', async () => {
    answer = (_, response) =>
      void response.writeHead(302, { location: `https://other.example:${server.port}/` }).end();
    const hosts = createHostLimit(4);
    await expect(read(web, url(), hosts)).rejects.toThrow(HostBusy);
    expect(seen.filter(path => path.startsWith('other.example')).length).toBeLessThanOrEqual(4);
    expect(seen.filter(path => path.startsWith('tokens.example')).length).toBeLessThanOrEqual(4);
  });
});
