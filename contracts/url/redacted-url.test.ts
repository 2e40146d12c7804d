import { redactedUrl } from './redacted-url';

test.each([
  ['http://127.0.0.1:4100', 'http://127.0.0.1:4100'],
  ['https://node.example/', 'https://node.example'],
  ['https://user:secret@node.example', 'https://node.example'],
  ['https://node.example/v4/SECRET', 'https://node.example/…'],
  ['wss://node.example/?api-key=SECRET', 'wss://node.example/…'],
])('%s is shown as %s', (url, shown) => {
  expect(redactedUrl(url)).toBe(shown);
});
