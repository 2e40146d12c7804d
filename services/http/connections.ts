import { Problem } from '../../contracts/problem/problem';
import type { AnyCall } from './call';
import { callerKey } from './limits';
import { createShares } from './shares';

/** Event streams and WebSockets that may be open at a time; 0 is no limit. */
export interface ConnectionLimits {
  readonly total: number;
  readonly perCaller: number;
}

/** What happens on the event streams and WebSockets of a route, for metrics. */
export interface ConnectionObserver {
  opened(): void;
  closed(): void;
  /** Frames: messages of a WebSocket, without pings. */
  sent(): void;
  received(): void;
}

/** Counts open connections. */
export interface Connections {
  /**
   * Counts a connection in. Where a caller has none, it may open one, however much that weighs; so with all. Once all are in use, the
   * newest of the caller with most is closed for one with fewer.
   * @param close called when that happens, with the problem; the connection is counted out by then
   * @param weight as how many connections it counts; default 1
   * @returns a function that counts it out
   * @throws Problem 429 `too_many_connections` of the caller, 503 `connections_exhausted` in all
   */
  open(call: AnyCall, close: (problem: Problem) => void, weight?: number): () => void;
}

/** After a refusal: connections end, but not soon. */
const RETRY_AFTER_SECONDS = 30;

/** Counts open connections in all and by caller. A limit of 0 is none. */
export function createConnections({ total, perCaller }: ConnectionLimits): Connections {
  const shares = createShares(total, perCaller);
  return {
    open(call, close, weight) {
      const place = shares.take(callerKey(call), () => close(exhausted()), weight);
      if (place === 'total') throw exhausted();
      if (place === 'share')
        throw new Problem('too_many_connections', `At most ${perCaller} connections may be open at a time.`, {
          retryAfter: RETRY_AFTER_SECONDS,
        });
      return place;
    },
  };
}

const exhausted = (): Problem =>
  new Problem('connections_exhausted', 'All connections are in use; try again later.', {
    retryAfter: RETRY_AFTER_SECONDS,
  });
