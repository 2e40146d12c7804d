import { setTimeout as pause } from 'node:timers/promises';
import { BEGINNING, type Position } from '../../../../contracts/position';

/** Milliseconds between two looks at the head, while somebody watches. */
const INTERVAL = 250;

/** How far the store has come, as known here: one look for all subscriptions of this process. */
export interface Tide {
  readonly level: Position;
  saw(position: Position): void;
  /** Keeps the level up to date until what it returns is called. */
  watch(): () => void;
}

export function createTide(head: () => Promise<Position>): Tide {
  let level = BEGINNING;
  let watchers = 0;
  let isLooking = false;
  const saw = (position: Position): void => {
    level = Math.max(level, position);
  };
  const look = async (): Promise<void> => {
    isLooking = true;
    while (watchers > 0) {
      // A head that cannot be read now is read the next time; whoever needs the store finds out by himself.
      await head().then(saw, () => undefined);
      await pause(INTERVAL, undefined, { ref: false });
    }
    isLooking = false;
  };
  return {
    get level() {
      return level;
    },
    saw,
    watch: () => {
      watchers += 1;
      if (!isLooking) void look();
      let isWatching = true;
      return () => {
        if (isWatching) watchers -= 1;
        isWatching = false;
      };
    },
  };
}
