import { assert, bigInt, integer, property } from 'fast-check';
import {
  canonicalDecimal,
  decimalPlaces,
  divideHalfEven,
  formatUnits,
  quotient,
  readDecimal,
} from './decimal';
import { runs } from '../../test/random';

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

describe('a decimal of another system', () => {
  it.each([
    ['5E-8', '0.00000005'],
    ['5e-8', '0.00000005'],
    ['1.5e3', '1500'],
    ['-0.50', '-0.5'],
    ['+7', '7'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0', '0'],
    ['0e99', '0'],
    ['1e-99', '0'],
    [`0.${'0'.repeat(39)}15`, `0.${'0'.repeat(39)}2`],
    [`0.${'0'.repeat(39)}25`, `0.${'0'.repeat(39)}2`],
    [`1.${'0'.repeat(40)}1`, '1'],
  ])('%s is %s', (text, canonical) => {
    expect(readDecimal(text)).toBe(canonical);
    expect(readDecimal(canonical)).toBe(canonical);
  });

  it.each(['', ' ', '.', '-', 'e5', '1e', '1e1000', '1e40', '1,5', '0x10', '١', '1 ', 'NaN', '9'.repeat(41)])(
    '%j is none',
    text => expect(readDecimal(text)).toBeNull(),
  );

  it('keeps its value however it is written', () => {
    assert(
      property(
        bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        integer({ min: -9, max: 20 }),
        (units, places) => {
          const plain = readDecimal(`${units}e${-places}`)!;
          const shifted = readDecimal(`${units * 1_000n}E${-places - 3}`);
          expect(shifted).toBe(plain);
          expect(readDecimal(`${plain}e${places}`)).toBe(String(units));
        },
      ),
    );
  });
});

it.each([
  ['1', '3', '0.333333333333333333'],
  ['0.1', '1819', '0.0000549752611324903793'],
  ['30000', '0.5', '60000'],
  ['0.00000001', '1', '0.00000001'],
])('%s / %s is %s', (a, b, expected) => expect(quotient(a, b)).toBe(expected));

it.each([
  ['1', '0'],
  ['0', '1'],
  ['-1', '2'],
])('%s / %s is no rate', (a, b) => expect(quotient(a, b)).toBeNull());

it('rounds half to even, on both sides of zero', () => {
  const halves = [-7n, -5n, -3n, -1n, 1n, 3n, 5n, 7n].map(dividend => divideHalfEven(dividend, 2n));
  expect(halves).toEqual([-4n, -2n, -2n, 0n, 0n, 2n, 2n, 4n]);
  expect(divideHalfEven(10n, 3n)).toBe(3n);
  expect(divideHalfEven(-11n, 3n)).toBe(-4n);
});

test.each([
  [0n, 6, '0'],
  [1n, 6, '0.000001'],
  [-1_234_500n, 6, '-1.2345'],
  [5_000_000n, 6, '5'],
  [42n, 0, '42'],
  [18_446_744_073_709_551_615n, 9, '18446744073.709551615'],
])('%p units of %p decimals are %p', (amount, decimals, text) => {
  expect(formatUnits(amount, decimals)).toBe(text);
});

test('no digit of units is lost', () => {
  assert(
    property(
      bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
      integer({ min: 0, max: 18 }),
      (amount, decimals) => {
        const [whole = '', fraction = ''] = formatUnits(amount, decimals).split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(amount);
      },
    ),
    runs(100),
  );
});
