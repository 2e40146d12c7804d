import type { Position } from '../../contracts/position';
import type { EventProjection } from '../projection';
import {
  watchPositions,
  type FoldedUpTo,
  type PositionWatcher,
  type WatchedStores,
} from './position-watcher';

/** How far the runners of this program have committed; null where a projection is not run here. */
export interface FoldedHere {
  /** All events up to the position are in the documents of the generation. */
  advance(projection: string, generation: number, position: Position): void;
  /** The runner has ended; another program may continue. */
  end(projection: string): void;
}

/** Waits of this program for positions, of any number of readers: one watcher for each projection serves all of them. */
export interface PositionWaits {
  readonly foldedHere: FoldedHere;
  /**
   * True once the projection has folded all events up to the position. False at once when nothing was recorded there, the
   * projection has stopped, or too many wait; else after `timeoutMs`, or at the signal.
   */
  waitFor(
    projection: EventProjection,
    position: Position,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<boolean>;
}

/** Waits of a program at a time, of all projections. */
const MAX_WAITING = 10_000;

export function createPositionWaits(stores: WatchedStores): PositionWaits {
  const watchers = new Map<string, PositionWatcher>();
  const folded = new Map<string, FoldedUpTo>();
  const limit = { waiting: 0 };

  return {
    foldedHere: {
      advance(name, generation, position) {
        folded.set(name, { generation, position });
        watchers.get(name)?.advance(generation, position);
      },
      end: name => void folded.delete(name),
    },

    waitFor(projection, position, timeoutMs, signal) {
      if (limit.waiting >= MAX_WAITING || signal?.aborted) return Promise.resolve(false);
      const { name } = projection;
      const watcher =
        watchers.get(name) ?? watchPositions(projection, stores, () => folded.get(name) ?? null);
      watchers.set(name, watcher);
      limit.waiting += 1;
      return watcher.waitFor(position, timeoutMs, signal).finally(() => (limit.waiting -= 1));
    },
  };
}
