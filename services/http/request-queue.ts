import { createFairQueue } from '../../contracts/fair-queue';
import { createShares } from './shares';

/** Requests that are begun at most before the process does what else there is to do, such as to receive further ones. */
const MAX_AT_ONCE = 8;
/** Milliseconds between two looks at those that wait: of more, fewer are begun at once. */
const SLOW_MS = 5;
/** Milliseconds in which connections are accepted while requests wait, at most; otherwise as long as those took that were begun last. */
const MAX_ACCEPTING_MS = 20;

/** Bytes of the heads of requests that wait, each with `REQUEST_BYTES`. */
export const MAX_WAITING_BYTES = 24 * 1024 * 1024;
/** Of a request with its answer, beside its head and its connection. */
const REQUEST_BYTES = 8 * 1024;
const PLACE_BYTES = 1024;

/** A request that has arrived. */
export interface Arrived {
  /** Asked for only where it has to wait. */
  caller(): string;
  readonly headBytes: number;
  /** False once its client is gone: it is not begun then. */
  isOpen(): boolean;
  begin(): void;
  /** Too much waits, of which its caller has most. */
  refuse(): void;
}

export interface RequestQueue {
  arrive(request: Arrived): void;
  /** A connection was accepted: more may wait to be. */
  accepted(): void;
}

/**
 * The main thread is everybody's: when requests arrive faster than they are answered, callers take turns, each with its oldest
 * request. While few arrive each is begun at once. This is about what a request does until it first waits for something outside the
 * process: with SQLite all of its reads. What is waited for after that has a queue of its own, such as MongoDB (`createReadSemaphore`).
 *
 * Connections that wait to be accepted wait in their order, of all callers alike, and Node accepts one between two looks. So requests
 * wait while connections are accepted, for as long as it took to answer others: then it is known whose they are.
 */
export function createRequestQueue(maxWaitingBytes = MAX_WAITING_BYTES): RequestQueue {
  const waiting = createFairQueue<{ readonly request: Arrived; readonly leave: () => void }>(Infinity);
  const places = createShares(Math.ceil(maxWaitingBytes / PLACE_BYTES), 0);
  let begun = 0;
  let atOnce = MAX_AT_ONCE;
  let isScheduled = false;
  let lookedAt = Infinity;
  /** Since the last look, and between the two before. */
  let hasAccepted = false;
  let hadAccepted = false;
  let acceptingUntil = -Infinity;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(look);
  }

  function look(): void {
    isScheduled = false;
    const now = performance.now();
    if (begun > 0) {
      const tookMs = Math.max(0, now - lookedAt);
      atOnce = tookMs > SLOW_MS ? Math.max(1, atOnce >> 1) : Math.min(MAX_AT_ONCE, atOnce + 1);
      acceptingUntil = now + Math.min(tookMs, MAX_ACCEPTING_MS);
    }
    lookedAt = waiting.size > 0 ? now : Infinity;
    begun = 0;
    hadAccepted = hasAccepted;
    hasAccepted = false;
    if (!hadAccepted || now >= acceptingUntil) beginNext();
    if (begun > 0 || hadAccepted) schedule();
  }

  function beginNext(): void {
    while (begun < atOnce) {
      const next = waiting.next();
      if (!next) return;
      next.leave();
      if (!next.request.isOpen()) continue;
      begun += 1;
      next.request.begin();
    }
  }

  function wait(request: Arrived): void {
    const caller = request.caller();
    const weight = Math.ceil((REQUEST_BYTES + request.headBytes) / PLACE_BYTES);
    const lose = (): void => {
      waiting.remove(caller, entry);
      request.refuse();
    };
    const place = places.take(caller, lose, weight);
    if (typeof place === 'string') return request.refuse();
    const entry = { request, leave: place };
    waiting.add(caller, entry);
  }

  return {
    arrive(request) {
      schedule();
      if (waiting.size > 0 || begun >= atOnce || hasAccepted || hadAccepted) return wait(request);
      begun += 1;
      request.begin();
    },
    accepted() {
      hasAccepted = true;
      schedule();
    },
  };
}
