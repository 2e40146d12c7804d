import {
  PARTNER_PRIORITIES,
  PartnerBusy,
  type PartnerCall,
  type PartnerPriority,
} from '../../../contracts/ports/exchange-partner';
import { createFairQueue } from '../../../contracts/fair-queue';

export interface RequestBudgetOptions {
  readonly perSecond: number;
  /** Of each priority, calls that may wait; default 5 seconds of the budget. */
  readonly maxWaiting?: number;
  /** Of all processes together; default: this process has the budget alone. */
  readonly shared?: SharedBudget | undefined;
  /** Milliseconds; default: the clock of the process. */
  readonly now?: () => number;
}

/** A budget that several processes have together. */
export interface SharedBudget {
  /** Takes one request and returns 0; otherwise the milliseconds until there may be one again. Never rejects. */
  take(): Promise<number>;
}

/** Of the requests to the partner. */
export interface RequestBudget {
  /**
   * Resolves when a request may be sent; of one priority callers take turns, and calls of one caller are sent in their order.
   * @throws PartnerBusy when too many wait, of which the caller has most, or the signal fires first
   */
  take(call: PartnerCall): Promise<void>;
  /** Sends nothing for some milliseconds: the partner has asked for it. */
  pause(ms: number): void;
}

const SECOND = 1_000;
const WAITING_SECONDS = 5;
/** However many calls of others wait, one of each priority goes so often: else some callers could keep all orders from being followed. */
const MAX_UNSERVED_MS = 2_500;

/**
 * A token bucket. It is small, a quarter of a second: within any second at most a quarter more than `perSecond` is sent, which
 * stays under the partner's own limit of 10 with the default of 8.
 */
export function createRequestBudget({
  perSecond,
  maxWaiting = Math.ceil(perSecond * WAITING_SECONDS),
  shared,
  now = () => performance.now(),
}: RequestBudgetOptions): RequestBudget {
  const requests = createBucket(perSecond, now);
  const refreshes = createBucket(perSecond / 2, now);
  const waiting = new Map(
    PARTNER_PRIORITIES.map(priority => [priority, createFairQueue<Waiting>(maxWaiting)]),
  );
  /** The first of those that wait comes next: people's estimates and orders take turns. */
  let turns: readonly PartnerPriority[] = PARTNER_PRIORITIES;
  /** Since when calls of a priority wait and none has gone. */
  const waitingSince = new Map<PartnerPriority, number>();
  let isRunning = false;
  let wake = (): void => undefined;

  /** Milliseconds until one of a priority may go. */
  const delayOf = (priority: PartnerPriority): number =>
    Math.max(requests.delayMs(), priority === 'refresh' ? refreshes.delayMs() : 0);

  const pending = (): PartnerPriority[] => turns.filter(priority => waiting.get(priority)!.size > 0);

  /** Until then, or until another call waits. */
  const sleep = (ms: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, Math.ceil(ms));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Runs while calls wait. */
  async function admit(): Promise<void> {
    isRunning = true;
    for (let next = pending(); next.length > 0; next = pending()) {
      const delayMs = Math.min(...next.map(delayOf));
      if (delayMs > 0) await sleep(delayMs);
      else if (shared) {
        const sharedDelayMs = await shared.take();
        if (sharedDelayMs > 0) requests.pause(sharedDelayMs);
        else admitNext();
      } else admitNext();
    }
    isRunning = false;
  }

  const isStarved = (priority: PartnerPriority): boolean =>
    now() - waitingSince.get(priority)! >= MAX_UNSERVED_MS;

  /** The first of the highest priority that may go. Callers may have left, so that there is none. */
  function admitNext(): void {
    const mayGo = pending().filter(priority => delayOf(priority) === 0);
    const ready = mayGo.find(isStarved) ?? mayGo[0];
    if (!ready) return;
    waitingSince.set(ready, now());
    requests.take();
    if (ready === 'refresh') refreshes.take();
    const [first, second, ...others] = turns;
    if (ready === first) turns = [second!, first, ...others];
    waiting.get(ready)!.next()!.go();
  }

  return {
    async take({ priority, caller = PROGRAM, signal }) {
      const queue = waiting.get(priority)!;
      await new Promise<void>((resolve, reject) => {
        const end = (): void => signal.removeEventListener('abort', leave);
        const refuse = (message: string, retryAfterMs?: number): void => {
          end();
          reject(new PartnerBusy(message, retryAfterMs));
        };
        const call: Waiting = {
          go() {
            end();
            resolve();
          },
          displace: () =>
            refuse(
              'too many requests wait for the exchange partner',
              Math.ceil((queue.size / perSecond) * SECOND),
            ),
        };
        const leave = (): void => {
          queue.remove(caller, call);
          refuse('the request was given up before it was sent');
        };
        if (signal.aborted) return leave();
        signal.addEventListener('abort', leave, { once: true });
        if (queue.size === 0) waitingSince.set(priority, now());
        queue.add(caller, call)?.displace();
        if (isRunning) wake();
        else void admit();
      });
    },
    pause: ms => requests.pause(ms),
  };
}

/** A call that waits, and how its wait ends. */
interface Waiting {
  go(): void;
  displace(): void;
}

/** Calls that nobody has asked for. */
const PROGRAM = '';

/** Rounding leaves a token that is due a little short of 1. */
const ROUNDING = 1e-6;

function createBucket(perSecond: number, now: () => number) {
  const capacity = Math.max(1, Math.floor(perSecond / 4));
  let tokens = capacity;
  let at = now();
  let pausedUntil = -Infinity;
  const refill = (): void => {
    const time = now();
    tokens = Math.min(capacity, tokens + (Math.max(0, time - at) / SECOND) * perSecond);
    at = time;
  };
  return {
    delayMs(): number {
      refill();
      const missing = 1 - ROUNDING - tokens;
      return Math.max(0, pausedUntil - now(), missing > 0 ? (missing / perSecond) * SECOND : 0);
    },
    take(): void {
      refill();
      tokens -= 1;
    },
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, now() + ms);
    },
  };
}
