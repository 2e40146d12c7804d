/** Wakes one waiter. Any number of notifications between two waits count as one. */
export interface Signal {
  notify(): void;
  /** Makes `wait` throw this error from now on. */
  fail(error: unknown): void;
  /** True after the next notification, false when the signal is closed. One waiter at a time. */
  wait(): Promise<boolean>;
  /** The result of a promise, or undefined when the signal is closed first. One caller at a time. */
  untilClosed<Result>(result: Promise<Result>): Promise<Result | undefined>;
  close(): void;
}

const nothing = (): void => undefined;

/** @param onClose called once, when the signal is closed */
export function createSignal(onClose: () => void): Signal {
  let [notified, closed] = [false, false];
  let failure: { readonly error: unknown } | undefined;
  let wake = nothing;
  let cancel = nothing;
  return {
    notify: () => {
      notified = true;
      wake();
    },
    fail: error => {
      failure ??= { error };
      wake();
    },
    wait: async () => {
      if (!notified && !closed && !failure) await new Promise<void>(resolve => (wake = resolve));
      if (closed) return false;
      if (failure) throw failure.error;
      notified = false;
      return true;
    },
    untilClosed: result =>
      new Promise((resolve, reject) => {
        // Promise.race with a promise of the close would keep every result in memory for as long as the signal lives.
        cancel = () => resolve(undefined);
        result.then(resolve, reject);
        if (closed) cancel();
      }),
    close: () => {
      if (closed) return;
      closed = true;
      onClose();
      wake();
      cancel();
    },
  };
}
