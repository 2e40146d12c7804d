/** A sleep that can be ended early. For a single sleeper. */
export interface Timer {
  /** Resolves after so many milliseconds (`Infinity`: never), or at `wake`. */
  sleep(milliseconds: number): Promise<void>;
  /** Ends the current sleep; without one, the next sleep ends at once. */
  wake(): void;
}

export function createTimer(): Timer {
  let isWoken = false;
  let endSleep: (() => void) | null = null;
  return {
    sleep: milliseconds =>
      new Promise(resolve => {
        const timeout = Number.isFinite(milliseconds)
          ? setTimeout(() => endSleep?.(), milliseconds)
          : undefined;
        endSleep = () => {
          clearTimeout(timeout);
          endSleep = null;
          isWoken = false;
          resolve();
        };
        if (isWoken) endSleep();
      }),
    wake: () => {
      isWoken = true;
      endSleep?.();
    },
  };
}
