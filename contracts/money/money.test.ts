import fc from 'fast-check';
import {
  add,
  amountOf,
  canonicalAmount,
  formatAmount,
  parseAmount,
  product,
  subtract,
  Sum,
  sum,
} from './money';
import { runs } from '../../test/random';

const amount = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });
const decimal = amount.map(formatAmount);
/** Like fees: mostly two decimals, sometimes many. */
const mixed = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.constantFrom(2n, 2n, 2n, 3n, 9n, 18n))
  .map(([steps, decimals]) => formatAmount(steps * 10n ** (18n - decimals)));

describe('an amount', () => {
  it.each([
    ['0', '0.00'],
    ['-0', '0.00'],
    ['-0.00', '0.00'],
    ['5', '5.00'],
    ['12.5', '12.50'],
    ['12.500', '12.50'],
    ['0.00000123', '0.00000123'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['-1.10', '-1.10'],
    ['-0.01', '-0.01'],
    ['99999999999999999999.999999999999999999', '99999999999999999999.999999999999999999'],
  ])('%s is written %s', (text, canonical) => expect(canonicalAmount(text)).toBe(canonical));

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '.5',
    '5.',
    '1e3',
    '1,000.00',
    '0x10',
    '--1',
    'NaN',
    'Infinity',
    '١',
    '1.0000000000000000001',
    '100000000000000000000',
    '1\n',
  ])('%j is none', text => expect(parseAmount(text)).toBeNull());

  it('is the same after formatting and parsing', () =>
    fc.assert(
      fc.property(amount, each => amountOf(formatAmount(each)) === each),
      runs(100),
    ));

  it('is parsed alike with and without the limits of the wire form', () =>
    fc.assert(
      fc.property(decimal, text => parseAmount(text) === amountOf(text)),
      runs(100),
    ));

  it('has one canonical form', () =>
    fc.assert(
      fc.property(decimal, text => canonicalAmount(text) === text),
      runs(100),
    ));
});

describe('sums', () => {
  it('are exact where floating point is not', () => {
    expect(add('0.1', '0.2')).toBe('0.30');
    expect(sum(Array<string>(1_000).fill('0.001'))).toBe('1.00');
  });

  it('may exceed the limit of one amount', () => {
    const largest = '99999999999999999999.00';
    expect(add(sum([largest, largest]), '0.01')).toBe('199999999999999999998.01');
  });

  it('do not depend on order or grouping', () =>
    fc.assert(
      fc.property(fc.array(decimal), fc.array(decimal), (left, right) => {
        expect(sum([...left, ...right])).toBe(add(sum(right), sum(left)));
      }),
      runs(100),
    ));

  it('are undone by subtraction', () =>
    fc.assert(
      fc.property(decimal, decimal, (a, b) => subtract(add(a, b), b) === a),
      runs(100),
    ));

  it('of running sums are kept when a term has more decimals', () => {
    const total = new Sum();
    total.add('1.25');
    total.add('0.000000000000000001');
    expect(total.toString()).toBe('1.250000000000000001');
    total.subtract('1.25');
    total.add('2.5');
    expect(total.toString()).toBe('2.500000000000000001');
  });

  it('of running sums equal those of integers of 10^-18', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(mixed, fc.boolean())), moves => {
        const total = new Sum();
        for (const [each, plus] of moves)
          if (plus) total.add(each);
          else total.subtract(each);
        const exact = moves.reduce((so, [each, plus]) => so + (plus ? amountOf(each) : -amountOf(each)), 0n);
        expect(total.toString()).toBe(formatAmount(exact));
      }),
      runs(100),
    ));
});

describe('a product', () => {
  it.each([
    ['100', '0.05', 2, '5.00'],
    ['0.1', '0.05', 2, '0.00'],
    ['0.3', '0.05', 2, '0.02'],
    ['0.5', '0.05', 2, '0.02'],
    ['-0.3', '0.05', 2, '-0.02'],
    ['0.300000000000000001', '0.05', 2, '0.02'],
    ['0.500000000000000001', '0.05', 2, '0.03'],
    ['2.5', '1', 0, '2.00'],
    ['3.5', '1', 0, '4.00'],
    ['0.000000000000000001', '0.5', 18, '0.00'],
    ['0.000000000000000003', '0.5', 18, '0.000000000000000002'],
  ])('%s × %s at %i decimals is %s', (a, b, decimals, expected) =>
    expect(product(a, b, decimals)).toBe(expected),
  );

  it('is rounded to the nearest, and ties to even', () =>
    fc.assert(
      fc.property(decimal, decimal, fc.nat({ max: 18 }), (a, b, decimals) => {
        const step = 10n ** BigInt(36 - decimals);
        const rounded = amountOf(product(a, b, decimals)) * 10n ** 18n;
        const error = rounded - amountOf(a) * amountOf(b);
        const twice = 2n * (error < 0n ? -error : error);
        expect(rounded % step).toBe(0n);
        expect(twice < step || (twice === step && (rounded / step) % 2n === 0n)).toBe(true);
      }),
      runs(100),
    ));

  it('of a negated factor is negated, so that a reversal is exact', () =>
    fc.assert(
      fc.property(mixed, mixed, fc.nat({ max: 18 }), (a, b, decimals) =>
        expect(product(subtract('0', a), b, decimals)).toBe(subtract('0', product(a, b, decimals))),
      ),
      runs(100),
    ));
});
