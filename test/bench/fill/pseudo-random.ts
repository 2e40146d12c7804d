/** Pseudo-random values, the same for the same seed. */
export interface PseudoRandom {
  /** An integer from 0 up to the limit, exclusive. */
  below(limit: number): number;
  bytes(count: number): Uint8Array;
  shuffled<T>(items: readonly T[]): T[];
}

/** Marsaglia's xorshift of 32 bits ("Xorshift RNGs", 2003), with the shifts 13, 17 and 5. */
export function createPseudoRandom(seed: number): PseudoRandom {
  let state = (seed + 1) * 0x9e3779b1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return {
    below,
    bytes: count => Uint8Array.from({ length: count }, () => below(256)),
    shuffled<T>(items: readonly T[]) {
      const shuffled = [...items];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
      }
      return shuffled;
    },
  };
}
