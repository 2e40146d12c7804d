import type { EventStore } from '../../contracts/ports/event-store';
import type { Documents } from '../../contracts/ports/documents';
import { BEGINNING, type Position } from '../../contracts/position';
import type { EventProjection } from '../projection';
import { lastSeen } from './input-partition';
import { nextEventPosition } from './next-event';
import { faultOf } from './projection-record';
import type { ReadGenerations } from './read-generations';
import type { RecordCache } from './record-cache';
import { subscribeTo } from './subscribe';

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

interface PositionWaitsDeps {
  readonly store: Pick<EventStore, 'head' | 'end' | 'readAll'>;
  readonly documents: Pick<Documents, 'checkpoint' | 'subscribe'>;
  readonly generations: Pick<ReadGenerations, 'get' | 'peek' | 'onSwitch'>;
  readonly records: Pick<RecordCache, 'peek'>;
}

/** Waits of a program at a time, of all projections. */
const MAX_WAITING = 10_000;

/** Between two looks of a watcher at the stores: a checkpoint may reach a position without a change of documents. */
const LOOK_MS = 20;
/** As long as changes are notified of. */
const REMOTE_LOOK_MS = 100;

export function createPositionWaits(deps: PositionWaitsDeps): PositionWaits {
  const watchers = new Map<string, Watcher>();
  const folded = new Map<string, { readonly generation: number; readonly position: Position }>();
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
      const watcher = watchers.get(name) ?? createWatcher(projection, deps, () => folded.get(name) ?? null);
      watchers.set(name, watcher);
      limit.waiting += 1;
      return watcher.waitFor(position, timeoutMs, signal).finally(() => (limit.waiting -= 1));
    },
  };
}

interface Waiter {
  readonly position: Position;
  /** Its time is over: the next look is its last one. */
  isLate: boolean;
  end(reached: boolean | Error): void;
}

type Watcher = ReturnType<typeof createWatcher>;

function createWatcher(
  projection: EventProjection,
  { store, documents, generations, records }: PositionWaitsDeps,
  foldedHere: () => { readonly generation: number; readonly position: Position } | null,
) {
  const { name, categories, collections } = projection;
  const waiters = new Set<Waiter>();
  /** Of the generation that is read, as far as is known. */
  let seen = BEGINNING;
  let generation = 0;
  let end = BEGINNING;
  let isWatching = false;
  let isDue = false;
  let wake = (): void => undefined;

  const lookSoon = (): void => {
    isDue = true;
    wake();
  };

  const untilDue = (timeoutMs: number): Promise<void> =>
    new Promise(resolve => {
      if (isDue) return resolve();
      const timer = setTimeout(resolve, timeoutMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const answer = (
    some: Iterable<Waiter>,
    isAnswered: (waiter: Waiter) => boolean,
    reached: boolean,
  ): void => {
    for (const waiter of some) if (waiters.has(waiter) && isAnswered(waiter)) waiter.end(reached);
  };

  const reach = (position: Position): void => {
    if (position <= seen) return;
    seen = position;
    answer(waiters, waiter => waiter.position <= position, true);
  };

  /** A few queries, however many wait. */
  const look = async (asked: readonly Waiter[]): Promise<void> => {
    const read = await generations.get(name);
    if (read && read.generation !== generation) [generation, seen] = [read.generation, BEGINNING];
    const here = foldedHere();
    if (here?.generation === generation) reach(here.position);
    else if (read) reach(lastSeen(await documents.checkpoint(read.checkpoints[0]!)));
    answer(asked, ({ position }) => position <= seen, true);
    if (faultOf(records.peek(name), projection)) answer(asked, () => true, false);
    const left = (): boolean => asked.some(waiter => waiters.has(waiter));
    if (!left()) return;
    if (asked.some(waiter => waiters.has(waiter) && waiter.position > end)) end = await store.end();
    answer(asked, ({ position }) => position > end, false);
    if (!left()) return;
    // An event of the categories may still be appended at a position beyond the head.
    const head = await store.head();
    const next = await nextEventPosition(store, seen, categories);
    answer(asked, ({ position }) => position <= head && (next === null || position < next), true);
    answer(asked, ({ isLate }) => isLate, false);
  };

  const watch = async (): Promise<void> => {
    const isHere = foldedHere() !== null;
    // What a runner of another program commits.
    const subscriptions = (isHere ? [] : collections).map(collection =>
      subscribeTo(documents, generations, name, collection.name, lookSoon),
    );
    // What a runner here folds in the meantime needs no look.
    for (let waitMs = isHere ? LOOK_MS : 0; ; waitMs = isHere ? LOOK_MS : REMOTE_LOOK_MS) {
      await untilDue(waitMs);
      if (waiters.size === 0) break;
      isDue = false;
      const pause = new Promise(resolve => setTimeout(resolve, LOOK_MS));
      const asked = [...waiters];
      await look(asked).catch((error: Error) => {
        for (const waiter of asked) if (waiters.has(waiter)) waiter.end(error);
      });
      if (waiters.size === 0) break;
      await pause;
    }
    for (const unsubscribe of subscriptions) unsubscribe();
    isWatching = false;
  };

  return {
    advance(of: number, position: Position): void {
      if (of === generation) reach(position);
    },

    waitFor(position: Position, timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean> {
      const here = foldedHere();
      const isKnown = generations.peek(name)?.generation === generation;
      if (here?.generation === generation) reach(here.position);
      if (isKnown && position <= seen) return Promise.resolve(true);
      return new Promise((resolve, reject) => {
        const leave = (): void => waiter.end(false);
        const waiter: Waiter = {
          position,
          isLate: false,
          end(reached) {
            waiters.delete(waiter);
            clearTimeout(timer);
            signal?.removeEventListener('abort', leave);
            if (reached instanceof Error) reject(reached);
            else resolve(reached);
            if (waiters.size === 0) wake();
          },
        };
        const timer = setTimeout(() => {
          waiter.isLate = true;
          lookSoon();
        }, timeoutMs);
        signal?.addEventListener('abort', leave);
        waiters.add(waiter);
        if (!isKnown || here?.generation !== generation) lookSoon();
        if (isWatching) return;
        isWatching = true;
        void watch();
      });
    },
  };
}
