import { webDomain } from './web-domain';

it.each([
  ['example.com', 'example.com'],
  ['.example.com', '.example.com'],
  ['*.Example.COM', '.example.com'],
  ['bücher.example.com', 'xn--bcher-kva.example.com'],
  ['ｅｘａｍｐｌｅ.com', 'example.com'],
  ['a.github.io', 'a.github.io'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
])('%s is the domain %s', (text, domain) => {
  expect(webDomain(text)).toBe(domain);
});

it.each([
  '',
  '.',
  'com',
  '.co.uk',
  '*.github.io',
  'localhost',
  'service.internal',
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '[::1]',
  'example.com.',
  'example.com:443',
  'https://example.com',
  'example.com/path',
  'user@example.com',
  'exam ple.com',
  'example.com#',
  '..example.com',
  '*..example.com',
  '**.example.com',
  'a.*.example.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(127)}com`,
  '%65xample.com',
])('%s is none', text => {
  expect(webDomain(text)).toBeNull();
});
