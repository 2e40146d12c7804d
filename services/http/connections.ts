import { Problem } from '../../contracts/problem/problem';
import { createCallerCounts } from '../caller-counts';
import type { AnyCall } from './call';
import { callerKey } from './limits';

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
   * Counts a connection in. Where a caller has none, it may open one, however much that weighs; so with all.
   * @param weight as how many connections it counts; default 1
   * @returns a function that counts it out
   * @throws Problem 429 `too_many_connections` of the caller, 503 `connections_exhausted` in all
   */
  open(call: AnyCall, weight?: number): () => void;
}

/** After a refusal: connections end, but not soon. */
const RETRY_AFTER_SECONDS = 30;

/** Counts open connections in all and by caller. A limit of 0 is none. */
export function createConnections({ total, perCaller }: ConnectionLimits): Connections {
  const counts = createCallerCounts();
  return {
    open(call, weight = 1) {
      const hasRoom = (limit: number, open: number): boolean =>
        limit === 0 || open === 0 || open + weight <= limit;
      if (!hasRoom(total, counts.all))
        throw new Problem('connections_exhausted', 'All connections are in use; try again later.', {
          retryAfter: RETRY_AFTER_SECONDS,
        });
      const caller = callerKey(call);
      if (!hasRoom(perCaller, counts.of(caller)))
        throw new Problem('too_many_connections', `At most ${perCaller} connections may be open at a time.`, {
          retryAfter: RETRY_AFTER_SECONDS,
        });
      return counts.add(caller, weight);
    },
  };
}
