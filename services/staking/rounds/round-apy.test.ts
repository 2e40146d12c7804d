import { globalApy, poolApy } from './round-apy';

const STAKE = 1_000_000_000_000_000_000n;
const ofStake = (perBillion: bigint) => ({
  totalStake: String(STAKE),
  bonuses: String((STAKE * perBillion) / 1_000_000_000n),
});

test.each([
  ['150 millionths in 65,536 seconds', 65_536, 150_000n, '3.66530'],
  ['140 millionths in 65,536 seconds', 65_536, 140_000n, '3.41684'],
  ['8.23 millionths in an hour, of which 8 count', 3_600, 8_230n, '3.56610'],
  ['1.37 millionths in ten minutes, of which 1 counts', 600, 1_370n, '2.66284'],
  ['less than a millionth, which counts as nothing', 60, 137n, '0.00000'],
])('%s are what the wallet app shows', (_, electedFor, perBillion, shown) => {
  expect(globalApy(ofStake(perBillion), electedFor)).toBe(shown);
});

test('a high yield in short rounds is as absurd as in the wallet app', () => {
  expect(Number(globalApy(ofStake(140_000n), 3_600))).toBeCloseTo(84.6, 1);
  expect(Number(globalApy(ofStake(140_000n), 60))).toBeGreaterThan(9e17);
  expect(globalApy(ofStake(140_000n), 1)).toBeNull();
});

test('an election without stakes has no yield', () => {
  expect(globalApy({ bonuses: '0', totalStake: '0' }, 65_536)).toBeNull();
});

test('of a pool it is compounded as often, and not cut off', () => {
  expect(poolApy(1_500_000_000n, 65_536)).toBe('3.66530');
  expect(poolApy(1_350_000_000n, 65_536)).toBe('3.29283');
  expect(poolApy(-70_000_000n, 65_536)).toMatch(/^-0\.16/);
});
