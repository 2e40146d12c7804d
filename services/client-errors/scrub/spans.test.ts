import { replaceSpans } from './spans';

test('what any span covers is removed, also where one is within another', () => {
  const spans = [
    { start: 2, end: 9 },
    { start: 3, end: 5 },
    { start: 8, end: 11 },
  ];
  expect(replaceSpans('a secret key, b', spans, '[key]')).toBe('a [key]y, b');
});
