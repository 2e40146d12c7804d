/**
 * A clock for the ages of what is cached: it never runs backwards, and where the other one is set back it goes on from there, so that
 * nothing is cached until that has caught up.
 * @param now milliseconds since the epoch
 */
export function monotonic(now: () => number): () => number {
  let [before, setBackMs] = [now(), 0];
  return () => {
    const current = now();
    setBackMs += Math.max(0, before - current);
    before = current;
    return current + setBackMs;
  };
}
