import type { EventBatch } from '../../contracts/ports/event-store';
import { sleep } from '../../contracts/retry';
import type { EventProjection } from '../projection';
import type { Context } from './context';
import { EVENTS } from './input-kinds';
import { allEvents } from './input-partition';
import { openPartitionWriter } from './partition-writer';

/** Large enough to load each hot document rarely, small enough to leave the thread free for reads. */
export const MAX_BATCH_EVENTS = 1_000;

/** After this time a checkpoint is stored although no document changed. */
const FLUSH_MS = 1_000;

/**
 * Folds events into one generation until the signal. A batch holds what is available: it is small and immediate when
 * live, and grows while catching up; then the next one is read while the last is committed.
 * @throws FoldError, CheckpointMoved, and errors of the stores
 */
export async function runEvents(
  { store, documents, hooks }: Pick<Context, 'store' | 'documents' | 'hooks'>,
  projection: EventProjection,
  generation: number,
  signal: AbortSignal,
  onState: (state: 'live' | 'catching-up') => void,
): Promise<void> {
  const writer = await openPartitionWriter(
    documents,
    projection,
    generation,
    allEvents(projection.name, generation),
    EVENTS,
  );
  const ended = new AbortController();
  const subscription = store.subscribe({
    after: writer.seen,
    categories: projection.categories,
    batchSize: MAX_BATCH_EVENTS,
    signal: AbortSignal.any([signal, ended.signal]),
  });
  const batches = subscription[Symbol.asyncIterator]();

  const fold = async ({ events, position }: EventBatch): Promise<void> => {
    const began = performance.now();
    await writer.apply(events, position, { flush: events.length > 0 });
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
      if (!writer.flushed) flushDue ??= sleep(FLUSH_MS, signal);
      const result = flushDue ? await Promise.race([next, flushDue]) : await next;
      if (!result) {
        flushDue = null;
        await writer.flush();
        continue;
      }
      if (result.done) break;
      const catchingUp = result.value.events.length >= MAX_BATCH_EVENTS;
      onState(catchingUp ? 'catching-up' : 'live');
      if (catchingUp) next = batches.next();
      await fold(result.value);
      if (!catchingUp) next = batches.next();
    }
    await writer.flush();
  } finally {
    ended.abort();
    // A batch that was read ahead, or the error of reading it, is dropped.
    await next.catch(() => undefined);
    await batches.return?.();
  }
}
