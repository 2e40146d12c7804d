import { v4 } from 'uuid';
import type { Logger } from 'pino';
import { DamagedData } from '../../contracts/engine/damaged-data';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { WATCH_CATEGORY, watchEvents } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import { BEGINNING, type Position } from '../../contracts/position';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { sleep } from '../../contracts/retry/retry';
import { removeHistory, type RemovalDeps } from './remove-history';

export interface DueRemovalDeps extends RemovalDeps {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly documents: Pick<Documents, 'checkpoint' | 'commit'>;
}

const INTERVAL_MS = 3_600_000;
/** Of what another worker has, or had when it was killed. */
const RETRY_MS = 10_000;

const CHECKPOINT = 'history-removal';

/**
 * Removes the histories of accounts whose last watches ended long ago. Looks at the end of each watch once, when it is that old;
 * the streams of the accounts decide. It is looked at again until the removal is over: a worker may be killed in between.
 * @returns false when another worker is removing some of them
 * @throws CheckpointMoved when another worker has removed some of them
 */
export async function removeDueHistories(deps: DueRemovalDeps, signal: AbortSignal): Promise<boolean> {
  const { store, documents, clock, removeAfterMs } = deps;
  const isDue = (event: RecordedEvent): boolean =>
    Date.parse(watchEvents.read(event).data.at) <= clock().getTime() - removeAfterMs;

  const head = await store.head();
  let expect = await documents.checkpoint(CHECKPOINT);
  let seen = expect && 'position' in expect ? expect.position : BEGINNING;
  const moveTo = async (position: Position): Promise<void> => {
    const value = { position };
    await documents.commit({ writes: [], checkpoint: { name: CHECKPOINT, value, expect } });
    [expect, seen] = [value, position];
  };
  for await (const page of store.readAll({ after: seen, categories: [WATCH_CATEGORY] })) {
    const later = page.findIndex(event => !isDue(event));
    const due = later < 0 ? page : page.slice(0, later);
    // One at a time: an account cannot be read until its history is removed, and a long one must not delay others.
    for (const event of due) {
      const account = endedBy(event);
      if (account && !(await removeHistory(deps, account, signal))) return false;
      signal.throwIfAborted();
      await moveTo(event.position);
    }
    if (due.length < page.length) return true;
  }
  // Nothing of the category is left up to the head: servers would search all before it for that again.
  if (head > seen) await moveTo(head);
  return true;
}

/** The account whose watch ends with an event, or whose history is being removed. */
function endedBy(event: RecordedEvent): AccountRef | null {
  const { type, data } = watchEvents.read(event);
  if (type !== 'WatchExpired' && type !== 'HistoryRemovalStarted') return null;
  const { chain, network, address } = data;
  return { chain, network, address } as AccountRef;
}

/** Removes histories from time to time, until the signal. */
export async function keepRemovingHistories(
  { logger, ...deps }: Omit<DueRemovalDeps, 'worker'> & { readonly logger: Pick<Logger, 'warn'> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let isDone = false;
    try {
      // What an earlier run has published may still get onto the log: this one waits for it as for that of another worker.
      isDone = await removeDueHistories({ ...deps, worker: v4() }, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof EngineUnavailable || error instanceof DamagedData) throw error;
      if (!(error instanceof CheckpointMoved))
        logger.warn({ err: error }, 'removal of old histories failed, retrying');
    }
    await sleep(isDone ? INTERVAL_MS : RETRY_MS, signal);
  }
}
