import { appUrl } from './app-url';

it.each([
  ['https://app.example.com', 'https://app.example.com'],
  ['https://App.Example.COM/', 'https://app.example.com'],
  ['https://app.example.com/swap//?ref=7#top', 'https://app.example.com/swap'],
  ['https://bücher.example.com/A', 'https://xn--bcher-kva.example.com/A'],
  ['https://app.example.com:443/a/../b', 'https://app.example.com/b'],
  ['https%3A%2F%2Fapp.example.com%2Fswap', 'https://app.example.com/swap'],
])('%s is the application %s', (text, url) => {
  expect(appUrl(text)).toBe(url);
});

it.each([
  '',
  'app.example.com',
  'http://app.example.com',
  'ftp://app.example.com',
  'javascript:alert(1)',
  'https://app.example.com:8443',
  'https://user@app.example.com',
  'https://:pass@app.example.com',
  'https://127.0.0.1',
  'https://[::1]/',
  'https://localhost/',
  'https://2130706433/',
  'https://github.io',
  'https://.example.com',
  'https://*.example.com',
  'https%3A%2F%2F%E0%A4%A',
  `https://app.example.com/${'a'.repeat(500)}`,
])('%s is none', text => {
  expect(appUrl(text)).toBeNull();
});

it('of an address is itself', () => {
  const url = appUrl('https://App.example.com/a%20b/?q')!;
  expect(appUrl(url)).toBe(url);
});

it('has a host of other letters however often it is asked', () => {
  for (let n = 0; n < 10_000; n++)
    expect(appUrl('https://bücher.example.com/A')).toBe('https://xn--bcher-kva.example.com/A');
});
