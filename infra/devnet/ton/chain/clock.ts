import type { Ledger } from './ledger';

/** The time of the chain: the real one, or ahead of it by what it was moved. */
export interface ChainClock {
  /** Unix seconds. */
  utime(): number;
  /** For good: a restart does not bring the real time back. */
  moveAhead(seconds: number): void;
}

const SHIFT = 'time-shift';

export function chainClock(ledger: Ledger, now: () => number): ChainClock {
  let shift = Number(ledger.setting(SHIFT) ?? 0);
  return {
    utime: () => Math.floor(now() / 1000) + shift,
    moveAhead(seconds) {
      if (!Number.isSafeInteger(seconds) || seconds < 0) {
        throw new RangeError('time moves ahead, by whole seconds');
      }
      shift += seconds;
      ledger.set(SHIFT, shift.toString());
    },
  };
}
