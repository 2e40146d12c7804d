interface Time {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Work that ends in time, by the signal that it is given. */
export async function inTime<Result>(
  { timeoutMs, signal }: Time,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // Not `AbortSignal.timeout`, which never fires once only `AbortSignal.any` refers to it and memory is collected.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error(`not read in ${timeoutMs} ms`)), timeoutMs);
  try {
    return await work(AbortSignal.any([signal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}
