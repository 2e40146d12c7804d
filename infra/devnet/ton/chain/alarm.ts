export interface Alarm {
  /** Resolves after so many milliseconds (`Infinity`: never), or as soon as somebody rings. */
  sleep(milliseconds: number): Promise<void>;
  /** Wakes the sleeper; when nobody sleeps, the next sleep is none. */
  ring(): void;
}

export function createAlarm(): Alarm {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    sleep: milliseconds =>
      new Promise(resolve => {
        const timer = Number.isFinite(milliseconds) ? setTimeout(() => wake?.(), milliseconds) : undefined;
        wake = () => {
          clearTimeout(timer);
          wake = null;
          rung = false;
          resolve();
        };
        if (rung) wake();
      }),
    ring: () => {
      rung = true;
      wake?.();
    },
  };
}
