import { setTimeout as pause } from 'node:timers/promises';
import { BEGINNING, type Position } from '../../../../contracts/position';

const POLL_MS = 250;

/** The newest known position of the store, polled once for all subscriptions of this process. */
export interface HeadTracker {
  readonly position: Position;
  advance(position: Position): void;
  /** Polls the head until the returned function is called. */
  subscribe(): () => void;
}

export function createHeadTracker(head: () => Promise<Position>): HeadTracker {
  let position = BEGINNING;
  let subscribers = 0;
  let isPolling = false;
  const advance = (newer: Position): void => {
    position = Math.max(position, newer);
  };
  const poll = async (): Promise<void> => {
    isPolling = true;
    while (subscribers > 0) {
      // An error is ignored: the next poll reads the head again, and the subscriptions meet errors of their own.
      await head().then(advance, () => undefined);
      await pause(POLL_MS, undefined, { ref: false });
    }
    isPolling = false;
  };
  return {
    get position() {
      return position;
    },
    advance,
    subscribe: () => {
      subscribers += 1;
      if (!isPolling) void poll();
      let isSubscribed = true;
      return () => {
        if (isSubscribed) subscribers -= 1;
        isSubscribed = false;
      };
    },
  };
}
