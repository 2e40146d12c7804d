import fc from 'fast-check';
import { nextSlot, retryDelay, slotAttempts } from './timing';
import { runs } from '../../../test/random';

const anyInterval = fc.integer({ min: 1, max: 1e9 });
const anyTime = fc.integer({ min: 0, max: 4e12 });

test('the next slot is the first multiple of the interval after now', () => {
  fc.assert(
    fc.property(anyInterval, anyTime, (everyMs, now) => {
      const slot = nextSlot(everyMs, now);
      expect(slot % everyMs).toBe(0);
      expect(slot).toBeGreaterThan(now);
      expect(slot - everyMs).toBeLessThanOrEqual(now);
    }),
    runs(100),
  );
});

test('the back-off doubles up to a day, for any number of attempts', () => {
  expect([1, 2, 3, 4, 5].map(attempt => retryDelay(100, attempt))).toEqual([100, 200, 400, 800, 1_600]);
  expect(retryDelay(1_000, 10_000)).toBe(86_400_000);
  expect(retryDelay(0, 10_000)).toBe(0);
});

test('the retries of a slot end before the next slot', () => {
  const intervals = [500, 1_000, 3_000, 7_000, 15_000, 86_400_000];
  expect(intervals.map(everyMs => slotAttempts(everyMs, 1_000))).toEqual([1, 2, 3, 4, 5, 5]);
  fc.assert(
    fc.property(anyInterval, everyMs => {
      const retries = slotAttempts(everyMs, 1_000) - 1;
      const waits = Array.from({ length: retries }, (_, i) => retryDelay(1_000, i + 1));
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(everyMs);
    }),
    runs(100),
  );
});
