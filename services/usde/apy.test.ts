import type { SharePrice } from '../../contracts/chain/ton-usde';
import { earlierPrice, secondsToApy, shareApy } from './apy';

const DAY = 86_400;
const at = (days: number, price = '1052300000'): SharePrice => ({ price, seqno: days, time: days * DAY });

test('growth of 0.0843 percent in a week is 4.49 percent a year', () => {
  expect(shareApy(at(0, '1000000000'), at(7, '1000843000'))!.toFixed(2)).toBe('4.49');
});

test('a loss is negative, and no change is 0', () => {
  expect(shareApy(at(0, '1000000000'), at(7, '999000000'))!.toFixed(2)).toBe('-5.08');
  expect(shareApy(at(0), at(7))).toBe(0);
});

test('prices that no reward can explain say nothing', () => {
  expect(shareApy(at(0, '1'), at(1, '999999999999999999'))).toBeNull();
});

test.each([
  ['the last that is a week older', [9, 3, 1, 2, 8], 3],
  ['the oldest that is a day older, while none is a week older', [8, 5, 6], 5],
  ['none that is less than a day older', [10], null],
])('a price is compared with %s', (_which, days, expected) => {
  const found = earlierPrice(
    days.map(day => at(day)),
    at(10),
  );
  expect(found?.seqno ?? null).toBe(expected);
});

test.each([
  ['without an earlier price it is an hour', [], 3_600],
  ['while the oldest price has long to go it is an hour', [9.5, 9.9], 3_600],
  ['it is until the oldest one is a day older', [9 + 60 / DAY, 9.9], 60],
  ['where old prices said nothing it is until a later one may', [3, 9 + 60 / DAY], 60],
])('when to ask again for a yield: %s', (_which, days, expected) => {
  const earlier = days.map(day => at(day));
  expect(Math.round(secondsToApy(earlier, at(10)))).toBe(expected);
});
