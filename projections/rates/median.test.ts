import fc from 'fast-check';
import { amountOf, formatAmount } from '../../contracts/money';
import { runs } from '../../test/random';
import { agreedPrice } from './median';

const quotesOf = (...prices: readonly string[]) =>
  prices.map((price, n) => ({ source: `source-${n}`, price: amountOf(price) }));
const agreed = (...prices: readonly string[]) => {
  const found = agreedPrice(quotesOf(...prices), 2);
  return found && { ...found, price: formatAmount(found.price) };
};

it.each([
  [['3.01', '3.00', '3.02'], '3.01'],
  [['3.00', '3.02'], '3.01'],
  [['3.00', '3.01', '3.02', '3.05'], '3.015'],
  [['0.000000000000000001', '0.000000000000000001'], '0.000000000000000001'],
])('of %j the price is %s', (prices, expected) => {
  expect(agreed(...prices)?.price).toBe(expected);
});

it.each(['3000', '0.000003', '3.16', '2.84'])('a lie of one source, %s, moves nothing and is named', lie => {
  const found = agreed('2.99', '3.00', '3.01', lie)!;
  expect(found.price).toBe('3.00');
  expect(found.dropped.map(({ source }) => source)).toEqual(['source-3']);
});

it('has no price while fewer sources than needed agree', () => {
  expect(agreed('3.00')).toBeNull();
  expect(agreed('3.00', '3000')).toBeNull();
  expect(agreed('1', '2', '4', '8')).toBeNull();
  expect(agreedPrice(quotesOf('3.00'), 1)?.price).toBe(amountOf('3.00'));
});

it('lies of fewer than half of the sources never move the price out of what the others say', () => {
  const price = fc.integer({ min: 9_800, max: 10_200 }).map(n => (n / 10_000).toFixed(4));
  const lie = fc
    .bigInt({ min: 1n, max: 10n ** 30n })
    .map(n => `0.${String(n).slice(0, 18).padStart(18, '0')}`);
  fc.assert(
    fc.property(
      fc.array(price, { minLength: 3, maxLength: 9 }),
      fc.array(fc.oneof(lie, fc.constant('1000')), { maxLength: 2 }),
      (honest, lies) => {
        if (honest.length <= lies.length) return;
        const found = agreed(...lies, ...honest)!;
        const sorted = honest.map(amountOf).sort((a, b) => (a < b ? -1 : 1));
        const price = amountOf(found.price);
        // Nothing that an honest source says is dropped for it, and the price is within 5 % of all that they say.
        expect(price * 100n >= sorted[0]! * 95n && price * 95n <= sorted.at(-1)! * 100n).toBe(true);
      },
    ),
    runs(200),
  );
});

describe('one source that lies', () => {
  /** What others say, within 2 % of each other. */
  const honestly = (count: number) =>
    fc.array(
      fc.integer({ min: 9_900, max: 10_100 }).map(n => (n / 10_000).toFixed(4)),
      { minLength: count, maxLength: count },
    );
  const ordered = (prices: readonly string[]) => prices.map(amountOf).sort((a, b) => (a < b ? -1 : 1));

  it.each([3, 4, 5])('of %i never moves the price out of what the others say, by much or little', count => {
    const factor = fc.oneof(fc.constantFrom(0.001, 1_000), fc.double({ min: 0.9, max: 1.1, noNaN: true }));
    fc.assert(
      fc.property(honestly(count - 1), factor, fc.nat(count - 1), (honest, factor, place) => {
        const lie = factor.toFixed(6);
        const found = agreed(...honest.slice(0, place), lie, ...honest.slice(place))!;
        const [least, most] = [ordered(honest)[0]!, ordered(honest).at(-1)!];
        const price = amountOf(found.price);
        expect(least <= price && price <= most).toBe(true);
        if (factor === 0.001 || factor === 1_000)
          expect(found.dropped.map(({ source }) => source)).toEqual([`source-${place}`]);
      }),
      runs(200),
    );
  });

  it('of two moves it by half of its lie while both agree, and then freezes it', () => {
    expect(agreed('3.00', '3.06')?.price).toBe('3.03');
    expect(agreed('3.00', '3.40')).toBeNull();
  });
});

describe('sources that agree on a lie', () => {
  it('are believed where they are most: two of three', () => {
    const found = agreed('3.00', '30.00', '30.00')!;
    expect(found.price).toBe('30.00');
    expect(found.dropped.map(({ source }) => source)).toEqual(['source-0']);
  });

  it('freeze the price where they are half: two of four', () => {
    expect(agreed('3.00', '3.01', '30.00', '30.00')).toBeNull();
  });

  it('move nothing where they are fewer: two of five', () => {
    expect(agreed('3.00', '3.01', '3.02', '30.00', '30.00')?.price).toBe('3.01');
  });
});
