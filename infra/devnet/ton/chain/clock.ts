import type { Ledger } from './ledger';

/** The time of the chain: real time plus the shift of `moveAhead`. */
export interface ChainClock {
  /** Unix seconds. */
  utime(): number;
  /** Permanent: the shift is stored. */
  moveAhead(seconds: number): void;
}

/** Unix seconds are 32 bits wide on the chain. */
const MAX_UTIME = 2 ** 32;
const SHIFT = 'time-shift';

export function chainClock(ledger: Ledger, now: () => number): ChainClock {
  let shift = Number(ledger.setting(SHIFT) ?? 0);
  return {
    utime: () => Math.floor(now() / 1000) + shift,
    moveAhead(seconds) {
      if (!Number.isSafeInteger(seconds) || seconds < 0) {
        throw new RangeError('time can only be moved ahead, by whole seconds');
      }
      if (now() / 1000 + shift + seconds >= MAX_UTIME)
        throw new RangeError('Unix time on the chain ends in 2106');
      shift += seconds;
      ledger.set(SHIFT, shift.toString());
    },
  };
}
