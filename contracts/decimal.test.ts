import { canonicalDecimal, decimalPlaces } from './decimal';

test.each([
  ['0', '0'],
  ['000', '0'],
  ['0.000', '0'],
  ['5.00', '5'],
  ['005.10', '5.1'],
  ['0.5', '0.5'],
  ['100', '100'],
  ['1234567890123456789012.000000000000000000001', '1234567890123456789012.000000000000000000001'],
])('%s is %s', (text, canonical) => {
  expect(canonicalDecimal(text)).toBe(canonical);
  expect(canonicalDecimal(canonical)).toBe(canonical);
});

test.each(['', ' ', '-1', '+1', '.5', '5.', '1e3', '1,5', '0x10', '١', '1 ', 'NaN', '1.2.3', '9'.repeat(41)])(
  '%j is none',
  text => {
    expect(canonicalDecimal(text)).toBeNull();
  },
);

it('bounds the digits on either side of the point', () => {
  expect(canonicalDecimal('123.45', 3)).toBe('123.45');
  expect(canonicalDecimal('1234', 3)).toBeNull();
  expect(canonicalDecimal('1.2345', 3)).toBeNull();
});

it('counts the digits after the point', () => {
  expect(['1', '1.5', '0.000001'].map(decimalPlaces)).toEqual([0, 1, 6]);
});
