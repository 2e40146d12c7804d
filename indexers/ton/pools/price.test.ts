import fc from 'fast-check';
import { AMOUNT, amountOf } from '../../../contracts/money/money';
import { runs } from '../../../test/random';
import { coinPrice, jettonPrice } from './price';

const TON = 10n ** 9n;
const reserves = (coins: bigint, jettons: bigint) => ({ coins, jettons });

it.each<readonly [string, ReturnType<typeof reserves>, number, string | null]>([
  ['a dollar', reserves(100_000n * TON, 300_000n * 10n ** 6n), 6, '1.00'],
  ['no decimals', reserves(2_000n * TON, 500n), 0, '12.00'],
  ['30 decimals', reserves(2_000n * TON, 4_000n * 10n ** 30n), 30, '1.50'],
  ['255 decimals', reserves(2_000n * TON, 4_000n * 10n ** 255n), 255, '1.50'],
  ['a huge supply', reserves(1_000n * TON, 10n ** 21n * 10n ** 9n), 9, '0.000000000000000003'],
  ['a supply that makes less than can be said', reserves(1_000n * TON, 10n ** 23n * 10n ** 9n), 9, null],
  ['a single unit of many decimals', reserves(1_000n * TON, 1n), 30, null],
])('has the price of a jetton with %s', (_what, pool, decimals, price) => {
  expect(jettonPrice(pool, decimals, amountOf('3.00'))).toBe(price);
});

it('has the price of coins in dollars', () => {
  expect(coinPrice(reserves(100_000n * TON, 310_000n * 10n ** 6n), 6)).toBe('3.10');
});

it('is a positive amount, or none, whatever a pool has; and never more than the exact one', () => {
  const amount = fc.bigInt(1n, 2n ** 120n);
  fc.assert(
    fc.property(amount, amount, fc.nat(255), fc.bigInt(1n, 10n ** 24n), (coins, jettons, decimals, ton) => {
      const price = jettonPrice(reserves(coins, jettons), decimals, ton);
      if (price === null) return;
      expect(price).toMatch(AMOUNT);
      const exact = ton * coins * 10n ** BigInt(decimals);
      const unit = jettons * TON;
      expect(amountOf(price) * unit <= exact && (amountOf(price) + 1n) * unit > exact).toBe(true);
    }),
    runs(300),
  );
});
