import type { Logger } from 'pino';
import { EngineUnavailable } from '../../../../../contracts/engine/engine-unavailable';
import type { OnFolding } from '../../../../../projections/as-of/fold';
import { AsOfNotReady, type Moment } from '../../../../../projections/as-of/port';
import { STRIDE, type Mark, type Timeline } from '../../../../../projections/as-of/timeline';
import { withTimeout } from '../../../../../contracts/retry/with-timeout';
import { createBuildQueue } from './build-queue';
import type { Snapshot } from './cache-entries';
import type { SnapshotBuilder } from './snapshot-builder';
import type { SnapshotCache } from './snapshot-cache';

export interface SnapshotBuildsOptions {
  readonly builder: SnapshotBuilder;
  /** How long a caller waits for a snapshot to be built. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Cancels the running build. */
  readonly signal: AbortSignal;
  readonly onProgress?: OnFolding;
}

interface SnapshotBuildsDeps extends SnapshotBuildsOptions {
  readonly timeline: Timeline;
  readonly snapshots: SnapshotCache;
}

/** Snapshots, built one at a time where there is none yet. */
export interface SnapshotBuilds {
  /** @throws AsOfNotReady, EngineUnavailable */
  at(moment: Moment, caller: string): Promise<Snapshot>;
  /** Resolves when the running build has ended. */
  idle(): Promise<void>;
}

/** Events that are read at once to find a moment; a longer search goes through the build queue. */
const MAX_INLINE_EVENTS = 2 * STRIDE;

/** Builds that may wait while one is running. */
export const MAX_QUEUED = 8;
/** Of these and the running one, so that no caller has the whole queue. */
export const MAX_QUEUED_PER_CALLER = 2;

export function createSnapshotBuilds(deps: SnapshotBuildsDeps): SnapshotBuilds {
  const { timeline, snapshots, timeoutMs, logger, signal } = deps;
  const queue = createBuildQueue<Snapshot>({
    maxWaiting: MAX_QUEUED,
    maxPerCaller: MAX_QUEUED_PER_CALLER,
  });

  /** The cause is logged; callers only learn that they can retry. */
  const toNotReady = (error: unknown): never => {
    if (error instanceof EngineUnavailable || error instanceof AsOfNotReady) throw error;
    if (!signal.aborted) logger.error({ err: error }, 'ledger snapshot not built');
    throw new AsOfNotReady('the snapshot could not be built', { cause: error });
  };

  const onTimeout = (): never => {
    throw new AsOfNotReady('the snapshot is being built');
  };

  return {
    async at(moment, caller) {
      const mark = await timeline.find(moment, MAX_INLINE_EVENTS);
      const nearest = mark && snapshots.nearest(mark.position);
      if (mark && nearest?.mark.position === mark.position) return nearest;
      const exact = mark ? { position: mark.position } : moment;
      const built = queue
        .run(JSON.stringify(exact), caller, () => build(deps, exact, mark))
        .catch(toNotReady);
      return withTimeout(timeoutMs, built, onTimeout);
    },
    idle: queue.idle,
  };
}

/** @param found the mark of the moment; null when it is still to be found */
async function build(
  { timeline, snapshots, builder, logger, signal, onProgress = () => undefined }: SnapshotBuildsDeps,
  moment: Moment,
  found: Mark | null,
): Promise<Snapshot> {
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
}

/** Folding with indexes takes twice as long as indexing at the end, so a base pays when it has at least half. */
const isWorthCopying = (base: Mark, { position }: Mark): boolean => 2 * base.position >= position;
