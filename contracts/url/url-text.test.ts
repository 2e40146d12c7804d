import { urlText } from './url-text';

const schema = urlText({ max: 30, protocol: /^https$/ });

it.each(['https://app.example', 'https://app.example/a?b#c'])('%s is one', text =>
  expect(schema.safeParse(text).success).toBe(true),
);

it.each([
  ['http://app.example', 'invalid_format'],
  ['nonsense', 'invalid_format'],
  // Its length is all that is said of it: it is not parsed.
  ['x'.repeat(31), 'too_big'],
])('%s is none', (text, code) =>
  expect(schema.safeParse(text).error?.issues.map(issue => issue.code)).toEqual([code]),
);
