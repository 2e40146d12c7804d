/**
 * Whether a promise has settled within a time, which can be asked again and again, one at a time. With `Promise.race` each wait would
 * leave a few hundred bytes at the promise, until it settles.
 */
export type SettledWithin = (milliseconds: number, signal?: AbortSignal) => Promise<boolean>;

/** @returns resolves to false after the time, and when the signal is aborted; what the promise rejects with is dropped */
export function settledWithin(promise: Promise<unknown>): SettledWithin {
  let isSettled = false;
  let wake = (): void => undefined;
  const settle = (): void => {
    isSettled = true;
    wake();
  };
  promise.then(settle, settle);
  return async (milliseconds, signal) => {
    if (isSettled || signal?.aborted) return isSettled;
    await new Promise<void>(resolve => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener('abort', end, { once: true });
      wake = end;
    });
    return isSettled;
  };
}
