/** Milliseconds to wait after a number of failures in a row (0 for the first): doubles from `initialMs` up to `maxMs`. */
export function backoffMs(failures: number, initialMs: number, maxMs: number): number {
  return Math.min(initialMs * 2 ** failures, maxMs);
}
