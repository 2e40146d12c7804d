import { readTonConnectManifest, readWebAppManifest } from './manifests';

it('reads the manifest for TON Connect', () => {
  const manifest = { url: 'https://app.example.com', name: 'App', iconUrl: 'https://app.example.com/i.png' };
  expect(readTonConnectManifest(manifest)).toEqual({
    url: manifest.url,
    name: 'App',
    icon: manifest.iconUrl,
  });
  expect(readTonConnectManifest({ name: 'App', iconUrl: 7 })).toEqual({ url: null, name: 'App', icon: null });
});

it('reads a web app manifest, with the best icon first', () => {
  const icons = [
    { src: 'small.png', sizes: '48x48' },
    { src: 'line.png', sizes: '512x512', purpose: 'monochrome' },
    { src: 'large.png', sizes: '512x512', purpose: 'maskable' },
    { sizes: '1x1' },
    null,
  ];
  const manifest = { short_name: 'App', description: 'What it does', theme_color: '#fff', icons };
  expect(readWebAppManifest(manifest)).toEqual({
    name: 'App',
    description: 'What it does',
    color: '#fff',
    icons: [
      { href: 'large.png', size: 512 },
      { href: 'small.png', size: 48 },
    ],
  });
  expect(readWebAppManifest({ name: 1, icons: 'none' })).toMatchObject({ name: null, icons: [] });
});

it('takes as many icons of a web app as one may have', () => {
  const icons = Array.from({ length: 1_000 }, (_, n) => ({ src: `${n}.png` }));
  expect(readWebAppManifest({ name: 'App', icons })!.icons).toHaveLength(20);
});

it.each([null, undefined, 7, 'text', [], [{ name: 'App' }], {}, { name: { toString: 'x' } }])(
  'takes %j for no manifest for TON Connect',
  json => expect(readTonConnectManifest(json)).toBeNull(),
);
