import { backoffMs, createBackoff } from './backoff';

it('doubles up to the maximum, and starts with the shortest delay after a reset', () => {
  const backoff = createBackoff(100, 1_000);
  expect(Array.from({ length: 6 }, () => backoff.next())).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  backoff.reset();
  expect(backoff.next()).toBe(100);
});

it('stays at the maximum after any number of failures', () => {
  expect(backoffMs(100_000, 50, 2_000)).toBe(2_000);
});
