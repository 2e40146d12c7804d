import { shareOf } from '../contracts/bound';
import { createCallerCounts } from './caller-counts';

const DEFAULT_WAIT_MS = 2_500;
/** Between two requests for what is missing. */
const REQUEST_MS = 500;

/** How many reads of a process may wait at a time. */
export interface WaitLimit {
  /**
   * Null when too many wait, or the caller has its share of them.
   * @param caller without one nobody has a share
   * @returns what to call when the wait has ended
   */
  begin(caller?: string): (() => void) | null;
}

/** @param max 0 is no limit */
export function createWaitLimit(max: number): WaitLimit {
  const counts = createCallerCounts();
  return {
    begin(caller) {
      if (max > 0 && counts.all >= max) return null;
      if (max > 0 && caller !== undefined && counts.of(caller) >= shareOf(max)) return null;
      return counts.add(caller ?? NOBODY);
    },
  };
}

/** Of waits without a caller, who have no share. */
const NOBODY = '';

export interface ReadUntilOptions<T> {
  readonly read: () => Promise<T>;
  readonly isDone: (value: T) => boolean;
  /** Resolves when what is read may have changed, after `timeoutMs`, or when the signal fires. */
  readonly waitForChange: (timeoutMs: number, signal?: AbortSignal) => Promise<void>;
  /** Requests what is missing. Called repeatedly, since a request soon after a read may be ignored. */
  readonly request?: (() => Promise<void>) | undefined;
  /** Milliseconds since the epoch; default: the clock. */
  readonly now?: () => number;
  /** Default 2,500. */
  readonly waitMs?: number | undefined;
  /** Beyond it a read does not wait. Default: none. */
  readonly waitLimit?: WaitLimit | undefined;
  /** Who reads, for its share of the limit. Default: nobody in particular. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Reads, and again after every change, until the value is done or the wait ends; then returns what there is. */
export async function readUntil<T>(options: ReadUntilOptions<T>): Promise<T> {
  const { read, isDone, request, waitLimit, caller } = options;
  const value = await read();
  if (isDone(value)) return value;
  const end = waitLimit ? waitLimit.begin(caller) : () => undefined;
  if (!end) {
    await request?.();
    return value;
  }
  try {
    return await readAgain(value, options);
  } finally {
    end();
  }
}

async function readAgain<T>(first: T, options: ReadUntilOptions<T>): Promise<T> {
  const { read, isDone, waitForChange, request, now = Date.now, waitMs = DEFAULT_WAIT_MS, signal } = options;
  const deadline = now() + waitMs;
  let value = first;
  while (!isDone(value) && signal?.aborted !== true) {
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
