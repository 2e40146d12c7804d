import fc from 'fast-check';
import { errorText, nextSlot, retryDelay, slotAttempts } from './rules';

const every = fc.integer({ min: 1, max: 1e9 });
const now = fc.integer({ min: 0, max: 4e12 });

test('the next slot is the first multiple of the interval after now', () => {
  fc.assert(
    fc.property(every, now, (every, now) => {
      const slot = nextSlot(every, now);
      expect(slot % every).toBe(0);
      expect(slot).toBeGreaterThan(now);
      expect(slot - every).toBeLessThanOrEqual(now);
    }),
  );
});

test('the back-off doubles up to a day, however many attempts there are', () => {
  expect([1, 2, 3, 4, 5].map(attempt => retryDelay(100, attempt))).toEqual([100, 200, 400, 800, 1_600]);
  expect(retryDelay(1_000, 10_000)).toBe(86_400_000);
  expect(retryDelay(0, 10_000)).toBe(0);
});

test('the retries of a slot end before the next one begins', () => {
  expect([500, 1_000, 3_000, 7_000, 15_000, 86_400_000].map(every => slotAttempts(every, 1_000))).toEqual([
    1, 2, 3, 4, 5, 5,
  ]);
  fc.assert(
    fc.property(every, every => {
      const retries = slotAttempts(every, 1_000) - 1;
      const waits = Array.from({ length: retries }, (_, i) => retryDelay(1_000, i + 1));
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(every);
    }),
  );
});

test('what is kept of an error is text, and not too much of it', () => {
  expect(errorText('no')).toBe('no');
  expect(errorText(undefined)).toBe('undefined');
  expect(errorText(new Error('broken'))).toContain('Error: broken');
  expect(errorText('😀'.repeat(3_000).slice(1))).toHaveLength(4_000);
  expect(errorText('a\0b')).toBe('a\ufffdb');
});
