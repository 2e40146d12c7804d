import type { EventBatch, RecordedEvent } from '../../contracts/ports/event-store';
import { sleep } from '../../contracts/retry/retry';
import { untilNextMs } from '../../contracts/time/until-next';
import type { EventProjection } from '../projection';
import { foldEventsUpToHead } from './catch-up';
import type { Context } from './context';
import { EVENTS } from './input-kinds';
import { allEvents } from './input-partition';
import { openPartitionWriter, type PartitionWriter } from './partition-writer';

/** A live batch of so many events has more behind it: live traffic is committed before so many have come. */
export const MAX_LIVE_EVENTS = 500;

/**
 * What is appended alone is folded at once, and what comes in a burst together, by all projections at the same time: their commits are then
 * one, and leave time for what the commands wait for.
 */
const BATCH_INTERVAL_MS = 20;

/** After this time a checkpoint is stored although no document changed. */
const FLUSH_MS = 1_000;

type RunContext = Pick<Context, 'store' | 'documents' | 'order' | 'foldedHere' | 'hooks'>;

/**
 * Folds events into one generation until the signal: what is behind as a rebuild does, what comes at the head at once.
 * @throws FoldError, CheckpointMoved, and errors of the stores
 */
export async function runEvents(
  context: RunContext,
  projection: EventProjection,
  generation: number,
  signal: AbortSignal,
  onState: (state: 'live' | 'catching-up') => void,
): Promise<void> {
  const inputs = allEvents(projection.name, generation);
  const writer = await openPartitionWriter(context.documents, projection, generation, inputs, EVENTS);
  const onFolded = (): void => context.foldedHere.advance(projection.name, generation, writer.committed);
  try {
    while (!signal.aborted) {
      onState('catching-up');
      onFolded();
      await foldEventsUpToHead(context, projection, writer, signal, onFolded);
      onFolded();
      onState('live');
      await foldUntilBehind(context, projection, writer, signal, onFolded);
    }
  } finally {
    context.foldedHere.end(projection.name);
  }
}

/** Folds and commits each batch as it comes, until one is full or until the signal. */
async function foldUntilBehind(
  { store, hooks }: Pick<Context, 'store' | 'hooks'>,
  projection: EventProjection,
  writer: PartitionWriter<RecordedEvent>,
  signal: AbortSignal,
  onFolded: () => void,
): Promise<void> {
  const ended = new AbortController();
  const subscription = store.subscribe({
    after: writer.seen,
    categories: projection.categories,
    batchSize: MAX_LIVE_EVENTS,
    signal: AbortSignal.any([signal, ended.signal]),
  });
  const batches = subscription[Symbol.asyncIterator]();

  const fold = async ({ events, position }: EventBatch): Promise<void> => {
    const began = performance.now();
    await writer.apply(events, position, { flush: events.length > 0 });
    onFolded();
    if (events.length === 0) return;
    hooks.onBatch?.({
      projection: projection.name,
      inputs: events.length,
      seconds: (performance.now() - began) / 1_000,
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
      await fold(result.value);
      if (result.value.events.length >= MAX_LIVE_EVENTS) break;
      next = sleep(untilNextMs(BATCH_INTERVAL_MS), signal).then(() => batches.next());
    }
    await writer.flush();
  } finally {
    ended.abort();
    // The error of reading a batch that is not waited for any more is dropped.
    await next.catch(() => undefined);
    await batches.return?.();
  }
}
