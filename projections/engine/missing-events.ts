import { categoryOf } from '../../contracts/category';
import { DamagedData } from '../../contracts/engine/damaged-data';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { BEGINNING, type Position } from '../../contracts/position';
import type { FoldedEvents } from './compared-events';

/** What a generation has folded, and how many events of the store it lacks. */
export type ComparedEvents = FoldedEvents & { readonly missing: number };

/**
 * Counts the events of the store in one pass without a filter, and compares them with what generations have folded: what a
 * subscription or a filter has passed over is missing there. A generation that has more lacks nothing: of streams that are
 * not only ours, events may be gone.
 * @param onPage awaited between two pages, with the position reached
 * @throws the reason of the signal; errors of the store, except that damaged events are not counted
 */
export async function compareEvents(
  store: Pick<EventStore, 'readAll'>,
  folded: readonly FoldedEvents[],
  signal: AbortSignal,
  onPage: (position: Position, end: Position) => void | Promise<void> = () => undefined,
): Promise<ComparedEvents[]> {
  const counts = folded.map(each => ({ each, recorded: 0 }));
  const open = counts.filter(({ each }) => each.upTo > each.after);
  const byCategory = new Map<string, typeof open>();
  for (const count of open)
    for (const category of new Set(count.each.categories))
      byCategory.set(category, [...(byCategory.get(category) ?? []), count]);

  const begin = Math.min(...open.map(({ each }) => each.after));
  const end = Math.max(BEGINNING, ...open.map(({ each }) => each.upTo));
  if (open.length > 0)
    for await (const page of pagesOf(store, begin)) {
      signal.throwIfAborted();
      for (const { stream, position } of page)
        for (const count of byCategory.get(categoryOf(stream)) ?? [])
          if (position > count.each.after && position <= count.each.upTo) count.recorded++;
      const reached = page.at(-1)!.position;
      if (reached >= end) break;
      await onPage(reached, end);
    }
  return counts.map(({ each, recorded }) => ({ ...each, missing: Math.max(0, recorded - each.events) }));
}

/** All events after a position but those that are damaged: the projections of their categories have stopped at them. */
async function* pagesOf(
  store: Pick<EventStore, 'readAll'>,
  begin: Position,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let after = begin; ;)
    try {
      for await (const page of store.readAll({ after })) {
        if (page.length > 0) yield page;
      }
      return;
    } catch (error) {
      if (!(error instanceof DamagedData) || error.position === null || error.position <= after) throw error;
      after = error.position;
    }
}
