import type { Logger } from 'pino';
import { EngineUnavailable } from '../../../../../contracts/engine/engine-unavailable';
import { viewsAsOf, type OnFolding } from '../../../../../projections/as-of/fold';
import { AsOfNotReady, BeyondHead, type AsOf, type Moment } from '../../../../../projections/as-of/port';
import { createTimeline, STRIDE, type Mark } from '../../../../../projections/as-of/timeline';
import type { EventProjection } from '../../../../../projections/projection';
import type { EventStore } from '../../../../../contracts/ports/event-store';
import { withTimeout } from '../../../../engines/with-timeout';
import type { SnapshotBuilder } from './snapshot-builder';
import { createBuildQueue } from './build-queue';
import { openSnapshotCache, type Limits, type SnapshotCache, type Snapshot } from './snapshot-cache';
import { claimSnapshotDir } from './snapshot-files';

export interface AsOfOptions {
  readonly dataDir: string;
  readonly store: Pick<EventStore, 'readAll' | 'readStream' | 'head'>;
  /** The projections of the ledger. */
  readonly projections: readonly EventProjection[];
  /** For these projections and this store. */
  readonly builder: SnapshotBuilder;
  readonly limits: Limits;
  /** How long a caller waits for a snapshot to be built. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Cancels the running build. */
  readonly signal: AbortSignal;
  readonly onProgress?: OnFolding;
}

export interface OpenAsOf extends AsOf {
  /** Resolves when the running build has ended. */
  close(): Promise<void>;
}

/** Events that are read at once to find a moment; a longer search goes through the build queue. */
const MAX_INLINE_EVENTS = 2 * STRIDE;

/** Builds that may wait while one is running. */
const MAX_QUEUED = 8;
/** Of these and the running one, so that no caller has the whole queue. */
const MAX_QUEUED_PER_CALLER = 2;

/**
 * The ledger as of any moment, from snapshots: embedded documents that the projections of the ledger fold up to a
 * position, each starting as a copy of the nearest older one. Works with every event store and documents adapter. One
 * snapshot is built at a time; the least recently used ones are removed.
 * @throws CannotOpen
 */
export async function openAsOf(options: AsOfOptions): Promise<OpenAsOf> {
  const { dataDir, store, projections, builder, limits, timeoutMs, logger, signal } = options;
  const { onProgress = () => undefined } = options;
  const versions = projections.map(({ name, version }) => `${name}@${version}`).join();
  const snapshotDir = claimSnapshotDir(dataDir);
  const snapshots = await openSnapshotCache(snapshotDir.folder, versions, limits);
  const timeline = createTimeline(store);
  const queue = createBuildQueue<Snapshot>({
    maxWaiting: MAX_QUEUED,
    maxPerCaller: MAX_QUEUED_PER_CALLER,
  });

  const build = async (moment: Moment, found: Mark | null): Promise<Snapshot> => {
    signal.throwIfAborted();
    const from = timeline.nearest(moment);
    const mark = found ?? (await builder.find(moment, from, signal, timeline.remember));
    const nearest = snapshots.nearest(mark.position);
    if (nearest?.mark.position === mark.position) return nearest;
    const base = nearest && isWorthCopying(nearest.mark, mark) ? nearest : null;
    const began = performance.now();
    const snapshot = await snapshots.add(mark, base, file => builder.fold(file, mark, signal, onProgress));
    timeline.remember(mark);
    const seconds = (performance.now() - began) / 1_000;
    logger.info(
      { position: mark.position, from: base?.mark.position ?? null, seconds, bytes: snapshot.bytes },
      'ledger snapshot built',
    );
    return snapshot;
  };

  /** The cause is logged; callers only learn that they can retry. */
  const toNotReady = (error: unknown): never => {
    if (error instanceof EngineUnavailable || error instanceof AsOfNotReady) throw error;
    if (!signal.aborted) logger.error({ err: error }, 'ledger snapshot not built');
    throw new AsOfNotReady('the snapshot could not be built', { cause: error });
  };

  const onTimeout = (): never => {
    throw new AsOfNotReady('the snapshot is being built');
  };

  const snapshotAt = async (moment: Moment, caller: string): Promise<Snapshot> => {
    const mark = await timeline.find(moment, MAX_INLINE_EVENTS);
    const nearest = mark && snapshots.nearest(mark.position);
    if (mark && nearest?.mark.position === mark.position) return nearest;
    const exact = mark ? { position: mark.position } : moment;
    const built = queue.run(JSON.stringify(exact), caller, () => build(exact, mark)).catch(toNotReady);
    return withTimeout(timeoutMs, built, onTimeout);
  };

  const ready = once(() => dropForeign(store, snapshots, timeline.remember));

  return {
    async read(moment, answer, caller = '') {
      await ready();
      const { position: requested, instant } = moment;
      if (requested !== undefined) {
        const head = await store.head();
        if (requested > head) throw new BeyondHead(head);
      }
      const snapshot = await snapshotAt(moment, caller);
      const position = instant === undefined && requested !== undefined ? requested : snapshot.mark.position;
      return snapshots.use(snapshot, documents =>
        answer(viewsAsOf({ documents, store, projections }, snapshot.mark), position),
      );
    },

    async close() {
      await queue.idle();
      await snapshots.close();
      snapshotDir.release();
    },
  };
}

/** Folding with indexes takes twice as long as indexing at the end, so a base pays when it has at least half. */
const isWorthCopying = (base: Mark, { position }: Mark): boolean => 2 * base.position >= position;

/** Removes snapshots of another history, such as of a store that was restored from an older backup. */
async function dropForeign(
  store: Pick<EventStore, 'readStream'>,
  snapshots: SnapshotCache,
  note: (mark: Mark) => void,
): Promise<void> {
  for (const snapshot of snapshots.all()) {
    const { position, event } = snapshot.mark;
    let isOurs = event === null;
    if (event)
      for await (const there of store.readStream(event.stream, { from: event.revision, limit: 1 }))
        isOurs = there.id === event.id && there.position === position;
    if (isOurs) note(snapshot.mark);
    else await snapshots.drop(snapshot);
  }
}

/** Runs the work at the first call, and again only after it failed. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = null;
      throw error;
    }));
}
