import { createShares } from './http/shares';

const DEFAULT_WAIT_MS = 2_500;
/** Between two requests for what is missing. */
const REQUEST_MS = 500;

/** A read that waits. */
export interface Wait {
  /** Fires when a caller with fewer has taken its place. */
  readonly signal: AbortSignal;
  /** To be called when the wait has ended. */
  end(): void;
}

/** How many reads of a process may wait at a time. */
export interface WaitLimit {
  /**
   * Null when the caller has its share of the waits, or others with no more have all of them.
   * @param caller reads without one have the share of one caller together
   */
  begin(caller?: string): Wait | null;
}

/** @param max 0 is no limit */
export function createWaitLimit(max: number): WaitLimit {
  const shares = createShares(max);
  return {
    begin(caller = NOBODY) {
      const evicted = new AbortController();
      const place = shares.take(caller, () => evicted.abort());
      return typeof place === 'string' ? null : { signal: evicted.signal, end: place };
    },
  };
}

/** Reads without a caller. */
const NOBODY = '';

export interface ReadUntilOptions<T> {
  readonly read: () => Promise<T>;
  readonly isDone: (value: T) => boolean;
  /** Resolves when what is read may have changed, after `timeoutMs`, or when the signal fires. */
  readonly waitForChange: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  /** Requests what is missing. Called repeatedly, since a request soon after a read may be ignored. */
  readonly request?: (() => Promise<void>) | undefined;
  /** Milliseconds since the epoch; default: the clock. */
  readonly now?: () => number;
  /** Default 2,500. */
  readonly waitMs?: number | undefined;
  /** Beyond it a read does not wait. Default: none. */
  readonly waitLimit?: WaitLimit | undefined;
  /** Who reads, for its share of the limit. Default: nobody in particular, who have one share together. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Reads, and again after every change, until the value is done or the wait ends; then returns what there is. */
export async function readUntil<T>(options: ReadUntilOptions<T>): Promise<T> {
  const { read, isDone, request, waitLimit, caller } = options;
  const value = await read();
  if (isDone(value)) return value;
  const wait = waitLimit?.begin(caller);
  if (wait === null) {
    await request?.();
    return value;
  }
  try {
    const signals = [options.signal, wait?.signal].filter(signal => signal !== undefined);
    return await readAgain(value, options, AbortSignal.any(signals));
  } finally {
    wait?.end();
  }
}

async function readAgain<T>(first: T, options: ReadUntilOptions<T>, signal: AbortSignal): Promise<T> {
  const { read, isDone, waitForChange, request, now = Date.now, waitMs = DEFAULT_WAIT_MS } = options;
  const deadline = now() + waitMs;
  let value = first;
  while (!isDone(value) && !signal.aborted) {
    const left = deadline - now();
    if (left <= 0) break;
    await request?.();
    // A failed subscription is an early read.
    const change = waitForChange(request ? Math.min(left, REQUEST_MS) : left, signal).catch(() => undefined);
    value = await read(); // it may have changed before the subscription
    if (isDone(value)) break;
    await change;
    value = await read();
  }
  return value;
}
