/*
 * Random tests. `npm test` runs the same cases each time; `npm run test:fuzz` and `test:crash` run more of them, from a
 * fresh seed that they print.
 */

/** PROPERTY_SEED: the seed of all random tests. */
export const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);

/** PROPERTY_SCALE multiplies the runs, cycles and requests of every random test. */
const SCALE = Number(process.env['PROPERTY_SCALE'] ?? 1);

/** A number of runs, cycles or requests, scaled; at least one. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * SCALE));
}

interface Runs {
  readonly numRuns: number;
  readonly seed: number;
  /** A report of test results has the message of an error, and not what caused it. */
  readonly includeErrorInReport: true;
}

/** Parameters of `fc.assert` and `fc.sample`: the number of runs, scaled, and the seed. */
export function runs(count: number): Runs {
  return { numRuns: scaled(count), seed: SEED, includeErrorInReport: true };
}

/** A share of the cases, drawn with the seed; it grows with PROPERTY_SCALE up to all of them. */
export function sampled<T>(cases: readonly T[], share: number): T[] {
  const random = randomFrom(SEED);
  return cases.filter(() => random() < share * SCALE);
}

/** A generator like `Math.random`, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
