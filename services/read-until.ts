const DEFAULT_WAIT_MS = 2_500;
/** Between two requests for what is missing. */
const REQUEST_MS = 500;

export interface ReadUntilOptions<T> {
  readonly read: () => Promise<T>;
  readonly isDone: (value: T) => boolean;
  /** Resolves when what is read may have changed, or after `timeoutMs`. */
  readonly waitForChange: (timeoutMs: number) => Promise<void>;
  /** Requests what is missing. Called repeatedly, since a request soon after a read may be ignored. */
  readonly request?: (() => Promise<void>) | undefined;
  /** Milliseconds since the epoch; default: the clock. */
  readonly now?: () => number;
  /** Default 2,500. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal;
}

/** Reads, and again after every change, until the value is done or the wait ends; then returns what there is. */
export async function readUntil<T>(options: ReadUntilOptions<T>): Promise<T> {
  const { read, isDone, waitForChange, request, now = Date.now, waitMs = DEFAULT_WAIT_MS, signal } = options;
  const deadline = now() + waitMs;
  let value = await read();
  while (!isDone(value) && signal?.aborted !== true) {
    const left = deadline - now();
    if (left <= 0) break;
    await request?.();
    // A failed subscription is an early read.
    const change = waitForChange(request ? Math.min(left, REQUEST_MS) : left).catch(() => undefined);
    value = await read(); // it may have changed before the subscription
    if (isDone(value)) break;
    await change;
    value = await read();
  }
  return value;
}
