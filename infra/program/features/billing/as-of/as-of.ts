import type { EventStore } from '../../../../../contracts/ports/event-store';
import { viewsAsOf } from '../../../../../projections/as-of/fold';
import { BeyondHead, type AsOf } from '../../../../../projections/as-of/port';
import { createTimeline, type Mark } from '../../../../../projections/as-of/timeline';
import type { EventProjection } from '../../../../../projections/projection';
import type { Limits } from './cache-entries';
import { createSnapshotBuilds, type SnapshotBuildsOptions } from './snapshot-builds';
import { openSnapshotCache, type SnapshotCache } from './snapshot-cache';
import { claimSnapshotDir } from './snapshot-files';

export interface AsOfOptions extends SnapshotBuildsOptions {
  readonly dataDir: string;
  readonly store: Pick<EventStore, 'readAll' | 'readStream' | 'end'>;
  /** The projections of the ledger, for which and for this store the builder is. */
  readonly projections: readonly EventProjection[];
  readonly limits: Limits;
}

export interface OpenAsOf extends AsOf {
  /** Resolves when the running build has ended. */
  close(): Promise<void>;
}

/**
 * The ledger as of any moment, from snapshots: embedded documents that the projections of the ledger fold up to a
 * position, each starting as a copy of the nearest older one. Works with every event store and documents adapter. One
 * snapshot is built at a time, and callers take turns; of the caller with most the least recently used ones are removed.
 * @throws CannotOpen
 */
export async function openAsOf(options: AsOfOptions): Promise<OpenAsOf> {
  const { dataDir, store, projections, limits } = options;
  const versions = projections.map(({ name, version }) => `${name}@${version}`).join();
  const snapshotDir = claimSnapshotDir(dataDir);
  const snapshots = await openSnapshotCache(snapshotDir.folder, versions, limits);
  const timeline = createTimeline(store);
  const builds = createSnapshotBuilds({ ...options, timeline, snapshots });
  const ready = once(() => dropForeign(store, snapshots, timeline.remember));

  return {
    async read(moment, answer, caller = '') {
      await ready();
      const { position: requested, instant } = moment;
      if (requested !== undefined) {
        // Checkpoints, which answers have as their positions, may be behind the last event.
        const end = await store.end();
        if (requested > end) throw new BeyondHead(end);
      }
      const snapshot = await builds.at(moment, caller);
      const position = instant === undefined && requested !== undefined ? requested : snapshot.mark.position;
      return snapshots.use(snapshot, caller, documents =>
        answer(viewsAsOf({ documents, store, projections }, snapshot.mark), position),
      );
    },

    async close() {
      await builds.idle();
      await snapshots.close();
      snapshotDir.release();
    },
  };
}

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
