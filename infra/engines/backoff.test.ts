import { createBackoff } from './backoff';

it('grows up to the maximum, and starts again after a reset', () => {
  const backoff = createBackoff(100, 10_000);
  const delays = Array.from({ length: 50 }, () => backoff.next());
  expect(Math.max(...delays)).toBeLessThanOrEqual(10_000);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...delays.slice(-10))).toBeGreaterThan(Math.max(...delays.slice(0, 2)));
  backoff.reset();
  expect(backoff.next()).toBeLessThan(1_000);
});
