import { setTimeout as pause } from 'node:timers/promises';
import { sleep } from '../../contracts/retry/retry';
import type { Projection } from '../projection';
import { notYetCompared, recordCompared } from './compared-events';
import type { Context } from './context';
import { foldedEvents } from './folded-events';
import { compareEvents, type ComparedEvents } from './missing-events';
import { changeRecord, ENGINE_COLLECTIONS } from './projection-record';

const INTERVAL_MS = 60_000;
/** Leaves the thread to others between two pages. */
const PAGE_PAUSE_MS = 20;

type WatchContext = Pick<Context, 'store' | 'documents' | 'records' | 'clock' | 'logger'>;

/**
 * Compares what the projections have folded with the events of the store, at the start and then at intervals, until the signal.
 * Of a projection that lacks events the reads are refused, until it is built again.
 */
export async function watchMissingEvents(
  context: WatchContext,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await look(context, projections, signal).catch((error: unknown) => {
      if (!signal.aborted)
        context.logger.warn({ err: error }, 'projections not compared with the event store, retrying');
    });
    await sleep(INTERVAL_MS, signal);
  }
}

async function look(
  context: WatchContext,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<void> {
  const { store, documents, records } = context;
  await documents.declare(ENGINE_COLLECTIONS);
  await records.refresh();
  const complete = projections.filter(({ name }) => !records.peek(name)?.incomplete);
  const folded = await foldedEvents(documents, complete);
  const parts = await notYetCompared(documents, folded);
  const compared = await compareEvents(store, parts, signal, async () => {
    await pause(PAGE_PAUSE_MS, undefined, { signal });
  });
  const isRecorded = ({ missing, after, upTo }: ComparedEvents): boolean => missing === 0 && upTo > after;
  const writes = folded.filter((_, i) => isRecorded(compared[i]!)).map(recordCompared);
  if (writes.length > 0) await documents.commit({ writes });
  for (const found of compared) if (found.missing > 0) await recordIncomplete(context, found);
}

async function recordIncomplete(
  { documents, records, clock, logger }: WatchContext,
  { projection, checkpoint, missing: events, after, upTo }: ComparedEvents,
): Promise<void> {
  const incomplete = { events, after, upTo, since: clock().toISOString() };
  await changeRecord(documents, projection, record =>
    record?.checkpoints.includes(checkpoint) && !record.incomplete ? { ...record, incomplete } : null,
  );
  await records.refresh();
  logger.error(
    { projection, events, after, upTo },
    `projection lacks events that the event store has: build it again with \`tidemark rebuild ${projection}\``,
  );
}
