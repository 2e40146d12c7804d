import type { EventBatch } from '../../contracts/ports/event-store';
import type { EventProjection } from '../projection';
import type { Context } from './context';
import { EVENTS } from './inputs';
import { eventLane } from './lane';
import { openLane } from './lane-writer';
import { pause } from './pause';

/** Most events in one batch: large enough to read each hot document seldom, small enough to leave the thread free for reads. */
export const BATCH = 1_000;

/** Milliseconds after which a checkpoint is stored although the events it moved over concerned no document. */
const FLUSH_AFTER = 1_000;

/**
 * Folds events into one generation until the signal. A batch holds what is there, so it is small and immediate when
 * live, and grows while catching up; then the next one is read while the last is committed.
 * @throws FoldError, CheckpointMoved, and what the stores throw
 */
export async function runEvents(
  { store, documents, hooks }: Pick<Context, 'store' | 'documents' | 'hooks'>,
  projection: EventProjection,
  generation: number,
  signal: AbortSignal,
  onState: (state: 'live' | 'catching-up') => void,
): Promise<void> {
  const lane = await openLane(
    documents,
    projection,
    generation,
    eventLane(projection.name, generation),
    EVENTS,
  );
  const ended = new AbortController();
  const subscription = store.subscribe({
    after: lane.seen,
    categories: projection.categories,
    batchSize: BATCH,
    signal: AbortSignal.any([signal, ended.signal]),
  });
  const batches = subscription[Symbol.asyncIterator]();

  const fold = async ({ events, position }: EventBatch): Promise<void> => {
    const began = performance.now();
    await lane.apply(events, position, { flush: events.length > 0 });
    if (events.length === 0) return;
    hooks.onBatch?.({
      projection: projection.name,
      inputs: events.length,
      seconds: (performance.now() - began) / 1000,
    });
  };

  let flushDue: Promise<void> | null = null;
  let next = batches.next();
  try {
    for (;;) {
      if (!lane.flushed) flushDue ??= pause(FLUSH_AFTER, signal);
      const result = flushDue ? await Promise.race([next, flushDue]) : await next;
      if (!result) {
        flushDue = null;
        await lane.flush();
        continue;
      }
      if (result.done) break;
      const catchingUp = result.value.events.length >= BATCH;
      onState(catchingUp ? 'catching-up' : 'live');
      if (catchingUp) next = batches.next();
      await fold(result.value);
      if (!catchingUp) next = batches.next();
    }
    await lane.flush();
  } finally {
    ended.abort();
    // A batch that was read ahead, or the error of reading it, is of no interest any more.
    await next.catch(() => undefined);
    await batches.return?.();
  }
}
