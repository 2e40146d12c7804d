/**
 * Milliseconds until the clock of the process is at a multiple of an interval. Those who wait for it do their work at the same time, and
 * so in one wake-up of the process, and in one commit.
 */
export function untilNextMs(intervalMs: number): number {
  return intervalMs - (Math.floor(performance.now()) % intervalMs);
}
