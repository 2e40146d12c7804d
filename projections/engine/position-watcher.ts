import type { EventStore } from '../../contracts/ports/event-store';
import type { Documents } from '../../contracts/ports/documents';
import { BEGINNING, type Position } from '../../contracts/position';
import type { EventProjection } from '../projection';
import { lastSeen } from './input-partition';
import { nextEventPosition } from './next-event';
import { createWaiters, type Waiter } from './position-waiters';
import { faultOf } from './projection-record';
import type { ReadGenerations } from './read-generations';
import type { RecordCache } from './record-cache';
import { subscribeTo } from './subscribe';

export interface WatchedStores {
  readonly store: Pick<EventStore, 'head' | 'end' | 'readAll'>;
  readonly documents: Pick<Documents, 'checkpoint' | 'subscribe'>;
  readonly generations: Pick<ReadGenerations, 'get' | 'peek' | 'onSwitch'>;
  readonly records: Pick<RecordCache, 'peek'>;
}

/** How far a runner has committed in a generation. */
export interface FoldedUpTo {
  readonly generation: number;
  readonly position: Position;
}

/** Looks at the stores for all readers who wait for positions of one projection, as long as there are any. */
export interface PositionWatcher {
  /** The runner of this program has committed. */
  advance(generation: number, position: Position): void;
  /** As `PositionWaits.waitFor`. */
  waitFor(position: Position, timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean>;
}

/** Between two looks at the stores: a checkpoint may reach a position without a change of documents. */
const LOOK_MS = 20;
/** As long as changes are notified of. */
const REMOTE_LOOK_MS = 100;

/** @param foldedHere by the runner of this program; null where it has none */
export function watchPositions(
  projection: EventProjection,
  { store, documents, generations, records }: WatchedStores,
  foldedHere: () => FoldedUpTo | null,
): PositionWatcher {
  const { name, categories, collections } = projection;
  const due = createDue();
  const waiters = createWaiters(due.set, due.wake);
  /** Of the generation that is read, as far as is known. */
  let seen = BEGINNING;
  let generation = 0;
  let end = BEGINNING;
  let isWatching = false;

  const reach = (position: Position): void => {
    if (position <= seen) return;
    seen = position;
    waiters.end(waiters.all(), waiter => waiter.position <= position, true);
  };

  /** A few queries, however many wait. */
  const look = async (asked: readonly Waiter[]): Promise<void> => {
    const read = await generations.get(name);
    if (read && read.generation !== generation) [generation, seen] = [read.generation, BEGINNING];
    const here = foldedHere();
    if (here?.generation === generation) reach(here.position);
    else if (read) reach(lastSeen(await documents.checkpoint(read.checkpoints[0]!)));
    waiters.end(asked, ({ position }) => position <= seen, true);
    if (faultOf(records.peek(name), projection)) waiters.end(asked, () => true, false);
    if (!asked.some(waiters.has)) return;
    if (asked.some(waiter => waiters.has(waiter) && waiter.position > end)) end = await store.end();
    waiters.end(asked, ({ position }) => position > end, false);
    if (!asked.some(waiters.has)) return;
    // An event of the categories may still be appended at a position beyond the head.
    const head = await store.head();
    const next = await nextEventPosition(store, seen, categories);
    waiters.end(asked, ({ position }) => position <= head && (next === null || position < next), true);
    waiters.end(asked, ({ isLate }) => isLate, false);
  };

  const watch = async (): Promise<void> => {
    const isHere = foldedHere() !== null;
    // What a runner of another program commits.
    const subscriptions = (isHere ? [] : collections).map(collection =>
      subscribeTo(documents, generations, name, collection.name, due.set),
    );
    // What a runner here folds in the meantime needs no look.
    for (let waitMs = isHere ? LOOK_MS : 0; ; waitMs = isHere ? LOOK_MS : REMOTE_LOOK_MS) {
      await due.wait(waitMs);
      if (waiters.size === 0) break;
      due.clear();
      const pause = new Promise(resolve => setTimeout(resolve, LOOK_MS));
      const asked = waiters.all();
      await look(asked).catch((error: Error) => waiters.end(asked, () => true, error));
      if (waiters.size === 0) break;
      await pause;
    }
    for (const unsubscribe of subscriptions) unsubscribe();
    isWatching = false;
  };

  return {
    advance(of, position) {
      if (of === generation) reach(position);
    },

    waitFor(position, timeoutMs, signal) {
      const here = foldedHere();
      const isKnown = generations.peek(name)?.generation === generation;
      if (here?.generation === generation) reach(here.position);
      if (isKnown && position <= seen) return Promise.resolve(true);
      const reached = waiters.wait(position, timeoutMs, signal);
      if (!isKnown || here?.generation !== generation) due.set();
      if (!isWatching) {
        isWatching = true;
        void watch();
      }
      return reached;
    },
  };
}

/** Whether a look is due before its time. */
function createDue() {
  let isDue = false;
  let wake = (): void => undefined;
  return {
    set(): void {
      isDue = true;
      wake();
    },
    clear(): void {
      isDue = false;
    },
    /** Ends a wait although no look is due. */
    wake: () => wake(),
    wait: (timeoutMs: number): Promise<void> =>
      new Promise(resolve => {
        if (isDue) return resolve();
        const timer = setTimeout(resolve, timeoutMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
