import { setTimeout as pause } from 'node:timers/promises';
import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { BEGINNING, type Position } from '../../contracts/position';
import type { LedgerTreeReader } from './reader';
import { LEDGER_TREE_COMPARED } from './tiles';

export interface UnreadEventsDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly documents: Pick<Documents, 'checkpoint' | 'commit'>;
  readonly reader: Pick<LedgerTreeReader, 'includedUpTo' | 'sizeAt' | 'leafIndexAt'>;
}

/** Leaves the thread to others between two pages. */
const PAGE_PAUSE_MS = 5;

/**
 * Counts the events of the ledger by reads, and compares that with the number in the ledger tree, which was read by a
 * subscription: whatever a subscription passes over is missing there. Continues where the last comparison ended, so that
 * each event is counted once, however long the ledger is.
 * @returns the position of the first event that the tree does not have although it includes later positions; else null
 */
export async function findUnreadEvent(
  { store, documents, reader }: UnreadEventsDeps,
  signal: AbortSignal,
): Promise<Position | null> {
  const upTo = await reader.includedUpTo();
  const stored = await documents.checkpoint(LEDGER_TREE_COMPARED);
  const after = stored && 'position' in stored ? stored.position : BEGINNING;
  if (upTo <= after) return null;
  let size = await reader.sizeAt(after);
  for await (const page of store.readAll({ after, categories: LEDGER_CATEGORIES })) {
    if (signal.aborted) return null;
    const events = page.filter(({ position }) => position <= upTo);
    const last = events.at(-1);
    if (last) {
      const sizeThen = await reader.sizeAt(last.position);
      // When the tree has more, the store has lost events, which is found elsewhere.
      if (sizeThen < size + events.length) return firstWithoutLeaf(reader, events);
      size = sizeThen;
      await documents.commit({
        writes: [],
        checkpoint: { name: LEDGER_TREE_COMPARED, value: { position: last.position } },
      });
    }
    if (events.length < page.length) break;
    await pause(PAGE_PAUSE_MS);
  }
  return null;
}

async function firstWithoutLeaf(
  reader: UnreadEventsDeps['reader'],
  events: readonly RecordedEvent[],
): Promise<Position | null> {
  for (const { position } of events) if ((await reader.leafIndexAt(position)) === null) return position;
  return null;
}
