import fc from 'fast-check';
import { runs } from '../../test/random';
import { bySize, readPage, sizeOf } from './page';

const head = (inside: string): string => `<!doctype html><html><head>${inside}</head><body></body></html>`;

it('reads what a page says of itself', () => {
  const page = readPage(
    head(`<title>
        An app &amp; more</title>
      <base href="/app/">
      <META NAME="Description" CONTENT="What it does">
      <meta property="og:site_name" content="App">
      <meta name="theme-color" content="#0b2a4a">
      <link rel="manifest" href="site.webmanifest">
      <link rel="icon" href="small.png" sizes="32x32">
      <link rel="shortcut icon" href="large.png" sizes="512x512">
      <link rel="apple-touch-icon" href="touch.png">
      <meta property="og:image" content="https://cdn.example.com/wide.png">`),
  );
  expect(page).toEqual({
    name: 'App',
    title: 'An app & more',
    description: 'What it does',
    color: '#0b2a4a',
    icons: [
      { href: 'touch.png', size: null },
      { href: 'large.png', size: 512 },
      { href: 'small.png', size: 32 },
      { href: 'https://cdn.example.com/wide.png', size: null },
    ],
    manifest: 'site.webmanifest',
    base: '/app/',
  });
});

it('takes the first of what is said twice, and what is said in other words', () => {
  const page = readPage(
    head(`<title></title><title>Second</title><meta name="og:title" content="First">
      <meta property="og:description" content="In words"><meta name="theme-color" content=" ">
      <meta name="theme-color" content="#fff">`),
  );
  expect(page).toMatchObject({ title: 'First', description: 'In words', color: '#fff' });
});

it('reads nothing of the body, where people write', () => {
  const page = readPage(
    '<title>App</title><body><meta name="description" content="injected"><link rel="icon" href="x.png">',
  );
  expect(page).toMatchObject({ title: 'App', description: null, icons: [] });
});

it('reads nothing that is nested deeply, which would take longer with each end of an element', () => {
  expect(readPage(`${'<b>'.repeat(90)}<title>App</title>`).title).toBe('App');
  expect(readPage(`${'<b>'.repeat(200)}<title>App</title>`).title).toBeNull();
});

it('reads no script as markup', () => {
  const page = readPage(head('<script>"<title>Not me</title>"</script><!--<title>Nor me</title>-->'));
  expect(page.title).toBeNull();
});

it.each([
  ['nested', '<b>'.repeat(100_000) + '</i>'.repeat(50_000)],
  ['a title', `<title>${'x'.repeat(500_000)}`],
  ['an attribute', `<meta name="description" content="${'x'.repeat(500_000)}`],
  ['attributes', `<meta ${Array.from({ length: 80_000 }, (_, n) => `a${n}`).join(' ')}>`],
  ['links', '<link rel="icon" href="a" sizes="1x1">'.repeat(12_000)],
  ['links and an end', `<head>${'<link rel=icon href=a>'.repeat(20_000)}</head>`],
])('ends with a page of nothing but %s', (_what, html) => {
  const { title, icons } = readPage(html);
  expect(title?.length ?? 0).toBeLessThan(20_000);
  expect(icons.length).toBeLessThanOrEqual(20);
});

it('reads any text', () => {
  const piece = fc.constantFrom(
    '<title>',
    '</title>',
    '<meta name="description" content="',
    '">',
    '<link rel=icon href=',
    '</head>',
    '<body>',
    '<',
    '>',
    '"',
    '<!--',
    '-->',
    '<![CDATA[',
    '&#x110000;',
    '\u0000',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), pieces => {
      const { icons } = readPage(pieces.join(''));
      expect(icons.every(({ href }) => typeof href === 'string')).toBe(true);
    }),
    runs(200),
  );
});

it.each([
  ['192x192', 192],
  ['16x16 48X48', 48],
  ['any', null],
  ['', null],
  [undefined, null],
] as const)('the size %p is %p', (sizes, expected) => expect(sizeOf(sizes)).toBe(expected));

it('prefers the smallest image that is large enough', () => {
  const order = bySize([16, 1_024, null, 192, 256, 512].map(size => ({ href: '', size })));
  expect(order.map(({ size }) => size)).toEqual([256, 512, 1_024, null, 192, 16]);
});
