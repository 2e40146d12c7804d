import fc from 'fast-check';
import { wholeTokens } from './amount';
import { runs } from '../../../test/random';

test.each([
  [0n, 6, '0'],
  [1n, 6, '0.000001'],
  [-1_234_500n, 6, '-1.2345'],
  [5_000_000n, 6, '5'],
  [42n, 0, '42'],
  [18_446_744_073_709_551_615n, 9, '18446744073.709551615'],
])('%p of %p decimals is %p', (amount, decimals, text) => {
  expect(wholeTokens(amount, decimals)).toBe(text);
});

test('no digit is lost', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), fc.nat(18), (amount, decimals) => {
      const [whole = '', fraction = ''] = wholeTokens(amount, decimals).split('.');
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(amount);
    }),
    runs(100),
  );
});
