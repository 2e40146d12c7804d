import type { Ledger } from './ledger';

/** The time of the chain: the real one, or ahead of it by what it was moved. */
export interface ChainClock {
  /** Unix seconds. */
  utime(): number;
  /** For good: a restart does not bring the real time back. */
  moveAhead(seconds: number): void;
}

/** Unix seconds are 32 bits wide on the chain. */
const END_OF_TIME = 2 ** 32;
const SHIFT = 'time-shift';

export function chainClock(ledger: Ledger, now: () => number): ChainClock {
  let shift = Number(ledger.setting(SHIFT) ?? 0);
  return {
    utime: () => Math.floor(now() / 1000) + shift,
    moveAhead(seconds) {
      if (!Number.isSafeInteger(seconds) || seconds < 0) {
        throw new RangeError('time moves ahead, by whole seconds');
      }
      if (now() / 1000 + shift + seconds >= END_OF_TIME) throw new RangeError('times end in 2106');
      shift += seconds;
      ledger.set(SHIFT, shift.toString());
    },
  };
}
