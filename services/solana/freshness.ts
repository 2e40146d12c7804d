/** Milliseconds after which what was read from outside is read again. */
const OLD = 10_000;

/** True for what was read at that instant (RFC 3339) when that is long ago, and for what was never read. */
export function isOld(at: string | null, now: number): boolean {
  return at === null || now - Date.parse(at) > OLD;
}
