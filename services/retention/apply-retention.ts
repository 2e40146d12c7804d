import type { Logger } from 'pino';
import { lastEventOf } from '../../contracts/engine/last-event';
import { BEGINNING, type Position } from '../../contracts/position';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { sleep } from '../../contracts/retry/retry';
import type { Handle } from '../commands/handle';
import type { Retention } from './retention';

export interface RetentionDeps {
  readonly store: EventStore;
  readonly documents: Pick<Documents, 'checkpoint' | 'commit'>;
  readonly handle: Handle;
  /** The position up to which every projection has folded the events of a category, those that are being rebuilt too. */
  foldedByAll(category: string): Promise<Position>;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'info'>;
}

const DAY_MS = 86_400_000;
const INTERVAL_MS = 3_600_000;

/**
 * Looks at each event once, when it is so many days old. The last event of a stream decides: when documents may have something
 * of the stream, an event is recorded that makes them forget it, and all before it is deleted; that event is deleted in its turn.
 * Where each event holds the whole state, or the last one says all that matters, those before this one are deleted.
 * What a projection has not folded yet it would never see, so it waits.
 *
 * Each step depends on the stream alone: several processes may do this at a time, and one that was killed is repeated.
 * @returns streams that were deleted
 * @throws EngineUnavailable, DamagedData
 */
export async function applyRetention(
  { store, documents, handle, clock, foldedByAll }: Omit<RetentionDeps, 'logger'>,
  retention: Retention,
  days: number,
  signal: AbortSignal,
): Promise<number> {
  const { category, progress } = retention;
  const now = clock();
  const head = await store.head();
  // The last event of the store cannot be deleted.
  const end = Math.min(await foldedByAll(category), head - 1);
  const isDue = ({ position, created }: RecordedEvent): boolean =>
    position <= end && Date.parse(created) <= now.getTime() - days * DAY_MS;

  const name = `retention/${progress === undefined ? category : `${category}/${progress}`}`;
  let expect = await documents.checkpoint(name);
  let seen = expect && 'position' in expect ? expect.position : BEGINNING;
  const moveTo = async (position: Position): Promise<void> => {
    const value = { position };
    await documents.commit({ writes: [], checkpoint: { name, value, expect } });
    [expect, seen] = [value, position];
  };
  let deleted = 0;
  for await (const page of store.readAll({ after: seen, categories: [category] })) {
    // Those up to the first that is not due: a later event may look older, as its time is that of another server's clock.
    const later = page.findIndex(event => !isDue(event));
    const due = later < 0 ? page : page.slice(0, later);
    for (const event of due) {
      signal.throwIfAborted();
      if (await look(store, handle, retention, event, now)) deleted += 1;
    }
    const last = due.at(-1);
    if (last) await moveTo(last.position);
    if (due.length < page.length) return deleted;
  }
  // Nothing of the category is left up to the head: servers would search all before it for that again.
  if (head > seen) await moveTo(head);
  return deleted;
}

/** @returns whether the stream was deleted */
async function look(
  store: EventStore,
  handle: Handle,
  { hasNoDocument, remove, lastEventIsState, saysAll }: Retention,
  { stream, revision }: RecordedEvent,
  now: Date,
): Promise<boolean> {
  const last = await lastEventOf(store, stream);
  if (!last) return false;
  const isLast = last.revision === revision;
  // What is written meanwhile is not old: the stream stays.
  const handleLast: Handle = (kind, to, command) => handle(kind, to, command, undefined, last.revision);
  const isDeletable =
    hasNoDocument(last) || (isLast && (await remove?.(handleLast, last, now.toISOString())) === true);
  const holdsAll = lastEventIsState ?? (isLast && saysAll?.(last) === true);
  const upTo = isDeletable ? revision : holdsAll ? revision - 1 : -1;
  if (upTo >= 0) await store.deleteUpTo(stream, upTo);
  return isLast && hasNoDocument(last);
}

/** Applies a retention from time to time, until the signal. */
export async function keepApplyingRetention(
  deps: RetentionDeps,
  retention: Retention,
  days: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const streams = await applyRetention(deps, retention, days, signal);
      if (streams > 0) deps.logger.info({ category: retention.category, streams }, 'old streams deleted');
    } catch (error) {
      // Another process does it, or the program stops.
      if (!(error instanceof CheckpointMoved || signal.aborted)) throw error;
    }
    await sleep(INTERVAL_MS, signal);
  }
}
