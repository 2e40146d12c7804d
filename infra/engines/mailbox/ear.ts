/** Listens for somebody. What rings between two calls of `rung` is one reason to look, however often it rang. */
export interface Ear {
  ring(): void;
  /** What is wrong with the listening: from now on `rung` throws it. */
  fail(error: unknown): void;
  /** True once it has rung since it was last asked, false when it is closed. For one who waits at a time. */
  rung(): Promise<boolean>;
  /** The outcome of something that may take long, or undefined when the ear is closed before. For one at a time. */
  unlessClosed<Outcome>(outcome: Promise<Outcome>): Promise<Outcome | undefined>;
  close(): void;
}

const nothing = (): void => undefined;

/** @param forget called once, when the ear is closed */
export function createEar(forget: () => void): Ear {
  let [rang, closed] = [false, false];
  let failure: { readonly error: unknown } | undefined;
  let wake = nothing;
  let giveUp = nothing;
  return {
    ring: () => {
      rang = true;
      wake();
    },
    fail: error => {
      failure ??= { error };
      wake();
    },
    rung: async () => {
      if (!rang && !closed && !failure) await new Promise<void>(resolve => (wake = resolve));
      if (closed) return false;
      if (failure) throw failure.error;
      rang = false;
      return true;
    },
    unlessClosed: outcome =>
      new Promise((resolve, reject) => {
        // Not a race against a promise of the closing: that would keep every outcome for as long as the ear lives.
        giveUp = () => resolve(undefined);
        outcome.then(resolve, reject);
        if (closed) giveUp();
      }),
    close: () => {
      if (closed) return;
      closed = true;
      forget();
      wake();
      giveUp();
    },
  };
}
