import { shareOf } from '../../contracts/bound';
import { createShares, type Shares } from '../http/shares';

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
   * @param caller reads without one have the share of one caller together, of which each subject has a quarter
   * @param subject what is read, where there is no caller
   */
  begin(caller?: string, subject?: string): Wait | null;
}

/** @param max 0 is no limit */
export function createWaitLimit(max: number): WaitLimit {
  const ofCallers = createShares(max);
  const ofSubjects = createShares(max === 0 ? 0 : shareOf(max));
  return {
    begin(caller, subject = '') {
      const evicted = new AbortController();
      const places: (() => void)[] = [];
      const end = (): void => {
        for (const giveUp of places.splice(0)) giveUp();
      };
      const take = (shares: Shares, whose: string): boolean => {
        const place = shares.take(whose, () => {
          end();
          evicted.abort();
        });
        if (typeof place === 'string') end();
        else places.push(place);
        return typeof place !== 'string';
      };
      const hasPlace =
        caller === undefined ? take(ofSubjects, subject) && take(ofCallers, NOBODY) : take(ofCallers, caller);
      return hasPlace ? { signal: evicted.signal, end } : null;
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
  /** What is read, for its share of what those have that nobody in particular reads. */
  readonly subject?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Reads, and again after every change, until the value is done or the wait ends; then returns what there is. */
export async function readUntil<T>(options: ReadUntilOptions<T>): Promise<T> {
  const { read, isDone, request, waitLimit, caller, subject } = options;
  const value = await read();
  if (isDone(value)) return value;
  const wait = waitLimit?.begin(caller, subject);
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
