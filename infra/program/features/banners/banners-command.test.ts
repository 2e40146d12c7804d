import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../../../test/command-line';
import { bannersCommand } from './banners-command';

const { run, DATA_DIR } = commandLine(bannersCommand);
const banners = async (...words: string[]) => JSON.parse(await run('--json', 'banners', ...words)) as unknown;
const file = (name: string, content: unknown): string => {
  const path = join(DATA_DIR, `${name}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const [START, END] = ['2026-12-01T00:00:00Z', '2026-12-25T00:00:00Z'];
const period = { start_date: Date.parse(START), expiration_date: Date.parse(END) };
const listing = {
  id: 7,
  product_url: 'https://a.example',
  ...period,
  enabled: true,
  banner_type: 'listItem',
};
const ad = {
  id: 'winter',
  image: 'https://img.example/a.png',
  title: 'A',
  description: 'An app',
  url: 'https://a.example',
  ...period,
};

test('publishes and retires banners, and explains what is shown when', async () => {
  const banner = { place: 'browser', id: '7' };
  expect(await banners('publish', 'browser', file('listing', listing))).toMatchObject({
    ...banner,
    changed: true,
  });
  expect(await banners('publish', 'browser', file('listing', listing))).toMatchObject({
    ...banner,
    changed: false,
  });
  expect(await banners('explain', 'browser', '--at', START)).toEqual({
    place: 'browser',
    at: '2026-12-01T00:00:00.000Z',
    banners: [{ id: '7', shown: true, why: null }],
  });
  expect(await run('banners', 'explain', 'browser', '--at', END)).toBe(
    'BANNER  STATE      WHY\n7       not shown  ended at 2026-12-25T00:00:00.000Z\n',
  );
  expect(await banners('explain', 'card', '--at', START)).toMatchObject({ banners: [] });
  expect(await banners('retire', 'browser', '7')).toEqual({ ...banner, changed: true });
  expect(await banners('explain', 'browser', '--at', START)).toMatchObject({ banners: [] });
});

test('says of a banner that it publishes why no wallet shows it now, as with dates in seconds', async () => {
  const shown = { ...listing, start_date: 0, expiration_date: Date.UTC(2200, 0) };
  expect(await run('banners', 'publish', 'card', file('now', shown))).toBe('card 7: published\n');
  const inSeconds = { ...shown, expiration_date: shown.expiration_date / 1_000 };
  expect(await run('banners', 'publish', 'card', file('seconds', inSeconds))).toBe(
    'card 7: published; not shown now: ended at 1970-03-26T00:08:38.400Z\n',
  );
  expect(await banners('publish', 'card', file('off', { ...shown, enabled: false }))).toMatchObject({
    changed: true,
    why: 'disabled',
  });
});

test.each([undefined, null, 'square'])('says that no wallet shows a banner of type %s', async banner_type => {
  const id = 9;
  const always = { start_date: 0, expiration_date: Date.UTC(2200, 0) };
  const why = 'its banner_type is neither bannerItem nor listItem';
  const published = { ...listing, ...always, id, title: String(banner_type), banner_type };
  expect(await banners('publish', 'card', file('untyped', published))).toMatchObject({ changed: true, why });
  const explained = { id: String(id), shown: false, why };
  expect(await banners('explain', 'card', '--at', START)).toMatchObject({
    banners: expect.arrayContaining([explained]),
  });
});

test.each([
  ['mainnet', { shown: false, why: 'for testnet' }],
  ['testnet', { shown: true, why: null }],
])('explains whether a wallet of %s shows a banner of the test network', async (network, expected) => {
  await banners('publish', 'browser', file('test', { ...listing, id: 8, is_test: true }));
  const explained = await banners('explain', 'browser', '--at', START, '--network', network);
  expect(explained).toMatchObject({ banners: [{ id: '8', ...expected }] });
});

test('explains which advertisement a wallet sees', async () => {
  for (const each of [
    ad,
    { ...ad, id: 'german', languages: ['de'] },
    { ...ad, id: 'next', min_version: '3' },
  ])
    await banners('publish', 'advertisement', file(each.id, each));
  const wallet = ['--at', START, '--platform', 'ios', '--language', 'en-GB', '--app-version', '2.9'];
  expect(await banners('explain', 'advertisement', ...wallet)).toMatchObject({
    banners: [
      { id: 'winter', shown: true, why: null },
      { id: 'german', shown: false, why: 'in de' },
      { id: 'next', shown: false, why: 'from version 3' },
    ],
  });
  const { banners: anybody } = (await banners('explain', 'advertisement', '--at', START)) as {
    banners: { shown: boolean; why: string | null }[];
  };
  expect(anybody.filter(({ shown }) => shown)).toHaveLength(1);
  expect(anybody.filter(({ why }) => why?.startsWith('another one that day'))).toHaveLength(2);
});

test.each([
  [['publish', 'window', file('a', listing)], 'place: '],
  [['publish', 'browser', file('b', ad)], 'b.json: id: '],
  [
    ['publish', 'card', file('c', { ...listing, expiration_date: listing.start_date })],
    'c.json: expiration_date: must be after',
  ],
  [
    ['publish', 'card', file('d', { ...listing, product_url: 'javascript:alert(1)' })],
    'd.json: product_url: neither',
  ],
  [
    ['publish', 'card', file('i', { ...listing, product_url: '\u0001javascript:alert(1)' })],
    'i.json: product_url: neither',
  ],
  [['publish', 'card', file('e', { ...listing, category: '{"title":"x"}' })], 'e.json: category: JSON text'],
  [['publish', 'card', file('f', { ...listing, image_url: 'http://img.example' })], 'f.json: image_url: '],
  [['publish', 'card', file('g', '[')], 'g.json: '],
  [['publish', 'advertisement', file('h', { ...ad, weight: 0 })], 'h.json: weight: '],
  [['retire', 'browser', '404'], 'Nothing is published as browser:404'],
  [['explain', 'browser', '--at', 'tomorrow'], 'at: '],
  [['explain', 'browser', '--network', 'devnet'], 'network: '],
  [['explain', 'advertisement', '--platform', 'windows'], 'platform: '],
])('refuses %j', async (words, why) => {
  await expect(banners(...words)).rejects.toThrow(why);
});
