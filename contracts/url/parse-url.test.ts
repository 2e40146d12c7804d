import fc from 'fast-check';
import { runs } from '../../test/random';
import { parseUrl } from './parse-url';

const LONG = 'ü'.repeat(3_000);

it.each([
  ['a host', `https://${LONG}.example`],
  ['a host without slashes', `https:${LONG}.example`],
  ['a host after many slashes', `https:/\\//${LONG}.example/`],
  ['a host after white space', ` \t\0https://${LONG}.example`],
  ['a host after line breaks within the scheme', `ht\ntps:/\t/${LONG}.example`],
  ['a host that is escaped', `https://${'%C3%BC'.repeat(1_000)}.example`],
  ['a host in Punycode', `https://xn--${'a'.repeat(3_000)}.example`],
  ['a user', `https://${LONG}@app.example`],
])('%s without end is not parsed', (_, text) => {
  expect(parseUrl(text)).toBeNull();
});

it.each([`//${LONG}.example`, `\\\\${LONG}.example/`, `\n/\t/${LONG}.example`])(
  'nor is one relative to a page',
  text => {
    expect(parseUrl(text, 'https://app.example')).toBeNull();
  },
);

it.each([`https://app.example/${LONG}`, `https://app.example?${LONG}`, `https://app.example#${LONG}`])(
  'a path, query or fragment may be long',
  text => {
    expect(parseUrl(text)?.hostname).toBe('app.example');
  },
);

it('no writing brings a host without end before the parser', () => {
  const piece = fc.constantFrom(
    ...[
      'https:',
      'http:',
      'wss:',
      'x:',
      '/',
      '//',
      '\\',
      '\t',
      '\n',
      '\r',
      ' ',
      '\0',
      '@',
      ':',
      '?',
      '#',
      '.',
    ],
    ...['a', '%', 'file:', LONG],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), fc.boolean(), (pieces, isRelative) => {
      const url = parseUrl(pieces.join(''), isRelative ? 'https://app.example/a' : undefined);
      expect(url?.hostname.length ?? 0).toBeLessThan(LONG.length);
    }),
    runs(2_000),
  );
});
