import fc from 'fast-check';
import { amountOf, formatAmount } from '../../contracts/money/money';
import { runs } from '../../test/random';
import { agreedPrice } from './median';

const quotesOf = (...prices: readonly string[]) =>
  prices.map((price, n) => ({ source: `source-${n}`, price: amountOf(price) }));
const agreed = (...prices: readonly string[]) => {
  const found = agreedPrice(quotesOf(...prices), 3);
  return found && { ...found, price: formatAmount(found.price) };
};

it.each([
  [['3.01', '3.00', '3.02'], '3.01'],
  [['3.00', '3.01', '3.02', '3.05'], '3.015'],
  [['0.000000000000000001', '0.000000000000000001', '0.000000000000000001'], '0.000000000000000001'],
])('of %j the price is %s', (prices, expected) => {
  expect(agreed(...prices)?.price).toBe(expected);
});

it.each(['3000', '0.000003', '3.16', '2.84'])('a lie of one source, %s, moves nothing and is named', lie => {
  const found = agreed('2.99', '3.00', '3.01', lie)!;
  expect(found.price).toBe('3.00');
  expect(found.dropped.map(({ source }) => source)).toEqual(['source-3']);
});

it('has no price of fewer quotes than the quorum, nor while no more than half of them agree', () => {
  expect(agreed('3.00')).toBeNull();
  expect(agreed('3.00', '3.00')).toBeNull();
  expect(agreed('1', '2', '4', '8')).toBeNull();
  expect(agreed('1', '2', '3', '3.05', '9')).toBeNull();
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
  const ordered = (prices: readonly string[]) => prices.map(amountOf).sort((a, b) => (a < b ? -1 : 1));
  const decimal = (min: number, max: number) =>
    fc.double({ min, max, noNaN: true }).map(value => value.toFixed(18));
  /** What others say: nearly the same, or each something else. */
  const honestly = fc.oneof(
    fc.array(decimal(0.99, 1.01), { minLength: 2, maxLength: 8 }),
    fc.array(decimal(0.5, 2), { minLength: 2, maxLength: 8 }),
  );
  const lies = fc.oneof(
    decimal(0.9, 1.1),
    decimal(0.4, 3),
    fc.constantFrom('0.000000000000000001', '99999999999999999999'),
  );

  it('of three or more never moves the price out of what the others say, whatever it and they say', () => {
    fc.assert(
      fc.property(honestly, lies, fc.nat(), (honest, lie, place) => {
        const at = place % (honest.length + 1);
        const found = agreed(...honest.slice(0, at), lie, ...honest.slice(at));
        if (!found) return;
        const [least, most] = [ordered(honest)[0]!, ordered(honest).at(-1)!];
        const price = amountOf(found.price);
        expect(least <= price && price <= most).toBe(true);
      }),
      runs(2_000),
    );
  });

  it('freezes nothing while the others agree', () => {
    fc.assert(
      fc.property(fc.array(decimal(0.99, 1.01), { minLength: 2, maxLength: 8 }), lies, (honest, lie) => {
        expect(agreed(lie, ...honest)).not.toBeNull();
      }),
      runs(500),
    );
  });

  it('beside one other moves nothing: two make no price', () => {
    expect(agreed('3.00', '3.06')).toBeNull();
  });

  it('of three that all differ does not choose the one that agrees with it', () => {
    expect(agreed('1.00', '1.08', '1.13')?.price).toBe('1.08');
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
