import { formatFiat } from './fiat-decimals';

it.each([
  [1250n, 'EUR', '12.50'],
  [-5n, 'EUR', '-0.05'],
  [400n, 'JPY', '400'],
  [0n, 'JPY', '0'],
  [1250n, 'KWD', '1.250'],
  [7n, 'constructor', '0.07'],
])('%s of the smallest unit of %s is %s', (minor, currency, text) => {
  expect(formatFiat(minor, currency)).toBe(text);
});
