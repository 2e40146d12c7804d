import type { Application } from 'express';
import { ByWeight } from './by-weight';

/** Bytes that may wait in the process for clients to read them. */
export interface UnsentLimits {
  /** Of one address: of more, the connection that waits longest is closed, unless it is the only one. */
  readonly perCaller: number;
  /** In all: of more, the connection that waits longest of the address with the most bytes is closed. */
  readonly total: number;
  /** Time for a client to take what waits for it, besides that for its bytes at `MIN_BYTES_PER_SECOND`. */
  readonly drainMs: number;
}

export const UNSENT_LIMITS: UnsentLimits = {
  perCaller: 16 * 1024 * 1024,
  total: 128 * 1024 * 1024,
  drainMs: 30_000,
};

/** Of the slowest client that is waited for. */
const MIN_BYTES_PER_SECOND = 4 * 1024;
const CHECK_INTERVAL_MS = 1_000;
/** Callers are compared by so many bytes. */
const WEIGHT_BYTES = 16 * 1024;

/** What waits for the client of one connection. */
export interface Backlog {
  /** @param bytes that the connection has not taken; 0 once it has taken all, or is closed */
  update(bytes: number): void;
}

const weightOf = (bytes: number): number => Math.ceil(bytes / WEIGHT_BYTES);

/**
 * Counts the bytes that clients have not read, of all connections, and closes those of clients that do not read: memory is
 * bounded by what is counted here, and not by how many connections there are. What a stream could not send waits in its store,
 * and is sent when the client comes back.
 * @param onClosed called for each connection that is closed
 */
export function createUnsentBytes(limits: UnsentLimits = UNSENT_LIMITS, onClosed?: () => void) {
  /** Those with bytes, by the time since when. */
  const waiting = new Set<OpenBacklog>();
  const callers = new Map<string, Counted>();
  const byWeight = new ByWeight<Counted>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;

  interface Counted {
    bytes: number;
    readonly waiting: Set<OpenBacklog>;
  }

  class OpenBacklog implements Backlog {
    bytes = 0;
    #since = 0;

    constructor(
      private readonly caller: string,
      private readonly closeConnection: () => void,
    ) {}

    update(bytes: number): void {
      const added = bytes - this.bytes;
      if (added === 0) return;
      const counted = callers.get(this.caller) ?? { bytes: 0, waiting: new Set() };
      const before = weightOf(counted.bytes);
      counted.bytes += added;
      total += added;
      byWeight.change(counted, before, weightOf(counted.bytes));
      if (this.bytes === 0) {
        this.#since = performance.now();
        waiting.add(this);
        counted.waiting.add(this);
        callers.set(this.caller, counted);
        timer ??= setInterval(closeSlow, CHECK_INTERVAL_MS).unref();
      }
      this.bytes = bytes;
      if (bytes === 0) {
        waiting.delete(this);
        counted.waiting.delete(this);
        if (counted.waiting.size === 0) callers.delete(this.caller);
        if (waiting.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      } else if (added > 0) {
        while (counted.bytes > limits.perCaller && counted.waiting.size > 1) closeFirst(counted.waiting);
        while (total > limits.total) closeFirst(byWeight.heaviestFirst().next().value!.thing.waiting);
      }
    }

    isSlow(now: number): boolean {
      return now - this.#since > limits.drainMs + (this.bytes * 1_000) / MIN_BYTES_PER_SECOND;
    }

    close(): void {
      this.update(0);
      onClosed?.();
      this.closeConnection();
    }
  }

  const closeFirst = ([first]: ReadonlySet<OpenBacklog>): void => first?.close();
  const closeSlow = (): void => {
    const now = performance.now();
    for (const each of [...waiting]) if (each.isSlow(now)) each.close();
  };

  return {
    /** @param close ends the connection at once, whatever waits; called once at most for each time that bytes wait */
    of: (caller: string, close: () => void): Backlog => new OpenBacklog(caller, close),
    get total(): number {
      return total;
    },
  };
}

export type UnsentBytes = ReturnType<typeof createUnsentBytes>;

/** Those of the servers of an app. */
export function unsentBytesOf({ locals }: Application): UnsentBytes {
  return (locals['unsentBytes'] ??= createUnsentBytes()) as UnsentBytes;
}
