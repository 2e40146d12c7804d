import { counted } from './counted';

test.each([
  [0, '0 fees'],
  [1, '1 fee'],
  [2, '2 fees'],
])('%i is one thing or several', (count, text) => {
  expect(counted(count, 'fee')).toBe(text);
});

test('a plural of its own', () => {
  expect(counted(3, 'signed copy', 'signed copies')).toBe('3 signed copies');
});
