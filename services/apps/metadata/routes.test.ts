import request from 'supertest';
import { createTestApp } from '../../../test/app';
import type { AppDeps } from '../deps';
import type { AppReader, KnownApp } from './reader';
import { appMetadataRoutes } from './routes';

const URL_PARAMETER = encodeURIComponent('https://app.example.com');
const WEBP = Buffer.from('RIFF....WEBP');
const known: KnownApp = {
  at: '2026-03-01T12:00:00.000Z',
  metadata: {
    title: 'App',
    description: 'What it does',
    color: '#0b2a4a',
    originalImage: 'https://app.example.com/icon.png',
    preview: { blurhash: 'L00000', digest: '5f'.repeat(16), webp: WEBP.toString('base64') },
  },
};

/** The routes over a double of what is known. */
function api(
  app: KnownApp | null,
  { publicUrl = null as string | null, stored = true, trustedProxies = 0 } = {},
) {
  const refreshed: string[] = [];
  const apps: AppReader = {
    find: async () => (stored ? app : null),
    source: () => ({ collection: 'apps' }),
    refresh: url => void refreshed.push(url),
    readUnread: async () => (stored ? null : app),
  };
  const views = { cached: (_query: unknown, compute: () => Promise<unknown>) => compute() };
  const bindings = appMetadataRoutes({ views, apps, publicUrl } as unknown as AppDeps);
  const server = createTestApp(bindings, { trustedProxies });
  return {
    refreshed,
    get: (path: string, headers: Record<string, string> = {}) =>
      request(server)
        .get(path)
        .set({ Host: 'api.example.com', ...headers }),
  };
}
const metadata = `/apps/metadata?url=${URL_PARAMETER}`;
const preview = (digest: string) => `/apps/image?url=${URL_PARAMETER}&digest=${digest}`;

it('answers what is stored, for both dialects, and has it refreshed', async () => {
  const { get, refreshed } = api(known);
  const { body } = await get(metadata).expect(200);
  const preview256 = `http://api.example.com/apps/image?url=${URL_PARAMETER}&digest=${'5f'.repeat(16)}`;
  expect(body).toEqual({
    url: 'https://app.example.com',
    domain: 'app.example.com',
    title: 'App',
    name: 'App',
    description: 'What it does',
    color: '#0b2a4a',
    originalImage: 'https://app.example.com/icon.png',
    image: { blurhash: 'L00000', preview256 },
    icon: preview256,
    extension: null,
    at: known.at,
  });
  expect(refreshed).toEqual(['https://app.example.com']);
});

it('answers what was read a moment ago, and is not stored', async () => {
  const { get } = api(known, { stored: false });
  expect((await get(metadata).expect(200)).body).toMatchObject({ title: 'App' });
  await get(preview('5f'.repeat(16))).expect(200);
});

it('answers with the domain when nothing is known', async () => {
  const nothing = { description: null, color: null, originalImage: null, image: null, icon: null, at: null };
  const { body } = await api(null).get(metadata).expect(200);
  expect(body).toMatchObject({ title: 'app.example.com', name: 'app.example.com', ...nothing });
});

it.each([
  ['where the call was sent to', {}, {}, 'http://api.example.com'],
  ['at the port of the call', {}, { Host: 'localhost:3000' }, 'http://localhost:3000'],
  [
    'over TLS, as a trusted proxy says',
    { trustedProxies: 1 },
    { 'X-Forwarded-Proto': 'https' },
    'https://api.example.com',
  ],
  [
    'not where a proxy says that is not trusted',
    {},
    { 'X-Forwarded-Proto': 'https' },
    'http://api.example.com',
  ],
  [
    'where operators say',
    { publicUrl: 'https://wallet.example.org/v1' },
    {},
    'https://wallet.example.org/v1',
  ],
])('names images %s', async (_where, setting, headers, expected) => {
  const { body } = await api(known, setting).get(metadata).set(headers).expect(200);
  expect((body as { icon: string }).icon.startsWith(`${expected}/apps/image?`)).toBe(true);
});

it.each(['a b', 'user@api.example.com', 'api.example.com/path', 'x?y', '[::1', 'a#b'])(
  'names no image where a call names the host %j',
  async host => {
    const { body } = await api(known).get(metadata).set('Host', host).expect(200);
    expect(body).toMatchObject({ title: 'App', image: null, icon: null });
  },
);

it('serves a preview for good, as nothing but an image', async () => {
  const { headers, body } = await api(known)
    .get(preview('5f'.repeat(16)))
    .expect(200);
  expect(body).toEqual(WEBP);
  expect(headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
});

it('serves the preview of today for an earlier one, for minutes', async () => {
  const { headers, body } = await api(known)
    .get(preview('00'.repeat(16)))
    .expect(200);
  expect([headers['cache-control'], body]).toEqual(['public, max-age=300', WEBP]);
});

it.each([
  ['nothing is known', null],
  ['there is none', { ...known, metadata: { ...known.metadata, preview: null } }],
])('has no image where %s', async (_what, app) => {
  const { body } = await api(app)
    .get(preview('5f'.repeat(16)))
    .expect(404);
  expect(body).toMatchObject({ code: 'app_image_not_found' });
});

it.each([
  ['/apps/metadata', '/query/url'],
  ['/apps/metadata?url=nonsense', '/query/url'],
  ['/apps/metadata?url=ftp://app.example.com', '/query/url'],
  ['/apps/image?url=https://10.0.0.1&digest=' + '5f'.repeat(16), '/query/url'],
  [`/apps/image?url=${URL_PARAMETER}`, '/query/digest'],
  [preview('../../etc'), '/query/digest'],
])('refuses %s', async (path, pointer) => {
  const { body } = await api(known).get(path).expect(400);
  expect(body).toMatchObject({ errors: [{ pointer }] });
});

it.each([
  'https://app.example.com:8443',
  'https://10.0.0.1',
  'http://app.example.com',
  'https://localhost',
  `https://app.example.com/?${'x'.repeat(4_000)}`,
])('says that %.40s is no application, which ends the question of a wallet', async page => {
  for (const url of [encodeURIComponent(page), encodeURIComponent(encodeURIComponent(page))]) {
    const { body } = await api(known).get(`/apps/metadata?url=${url}`).expect(200);
    expect(body).toBeNull();
  }
});
