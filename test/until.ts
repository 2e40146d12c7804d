import { setTimeout as sleep } from 'node:timers/promises';

const MIN_PAUSE_MS = 2;
const MAX_PAUSE_MS = 50;

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
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.1, MAX_PAUSE_MS)) {
    let last: unknown;
    try {
      const value = await read();
      if (isGood(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline)
      throw new Error(
        `not within ${timeoutMs} ms: ${read.toString()}\nlast: ${last instanceof Error ? last.stack : JSON.stringify(last)}`,
      );
    await sleep(pauseMs);
  }
}
