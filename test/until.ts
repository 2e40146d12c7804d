import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A twentieth of the time waited so far, and as long as the last read has taken: what takes long is not slowed by questions, nor by
 * those that many programs work at.
 */
const pauseMs = (waitedMs: number, readMs: number): number =>
  Math.min(Math.max(waitedMs / 20, readMs, 2), 250);

/**
 * Reads until the value is good: by default, until it is truthy. A read that throws counts as not good. The limit stops
 * the wait of a test that has timed out.
 * @returns the value
 * @throws after the limit, naming the last value or error
 */
export async function until<T>(
  read: () => T | Promise<T>,
  isGood: (value: T) => boolean = Boolean,
  timeoutMs = 120_000,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    let last: unknown;
    const asked = performance.now();
    try {
      const value = await read();
      if (isGood(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    const now = performance.now();
    const waitedMs = now - began;
    if (waitedMs > timeoutMs)
      throw new Error(
        `not within ${timeoutMs} ms: ${read.toString()}\nlast: ${last instanceof Error ? last.stack : JSON.stringify(last)}`,
      );
    await sleep(pauseMs(waitedMs, now - asked));
  }
}
