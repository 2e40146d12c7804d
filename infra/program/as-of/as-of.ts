import type { Logger } from 'pino';
import { EngineUnavailable } from '../../../contracts/engine-unavailable';
import { viewsAsOf, type OnFolding } from '../../../projections/as-of/fold';
import { AsOfNotReady, BeyondHead, type AsOf, type Moment } from '../../../projections/as-of/port';
import { createTimeline, STRIDE, type Mark } from '../../../projections/as-of/timeline';
import type { EventProjection } from '../../../projections/projection';
import type { EventStore } from '../../../contracts/ports/event-store';
import { within } from '../../engines/with-timeout';
import type { Folding } from './folding';
import { createQueue } from './queue';
import { openShelf, type Limits, type Shelf, type Snapshot } from './shelf';
import { claimSlot } from './slot';

export interface AsOfOptions {
  readonly dataDir: string;
  readonly store: Pick<EventStore, 'readAll' | 'readStream' | 'head'>;
  /** Those of the ledger. */
  readonly projections: readonly EventProjection[];
  /** Of these projections and this store. */
  readonly folding: Folding;
  readonly limits: Limits;
  /** Milliseconds that a caller waits for what has to be built. */
  readonly patience: number;
  readonly logger: Logger;
  /** Ends what is being built. */
  readonly signal: AbortSignal;
  readonly onProgress?: OnFolding;
}

export interface OpenAsOf extends AsOf {
  /** Resolves when what was being built has ended. */
  close(): Promise<void>;
}

/** Events that are read at once to find a moment; a longer search takes its turn among what is to be built. */
const SHORT = 2 * STRIDE;

/** Moments that may wait while another one is being built. */
const MOST_WAITING = 4;

/**
 * The ledger as of any moment, from snapshots: embedded documents that the projections of the ledger fill up to a
 * position, each beginning as a copy of the nearest older one. Works with every event store and whatever documents the
 * live projections have. One snapshot is built at a time; those used the longest ago are removed.
 * @throws CannotOpen
 */
export async function openAsOf(options: AsOfOptions): Promise<OpenAsOf> {
  const { dataDir, store, projections, folding, limits, patience, logger, signal } = options;
  const { onProgress = () => undefined } = options;
  const models = projections.map(({ name, version }) => `${name}@${version}`).join();
  const slot = claimSlot(dataDir);
  const shelf = await openShelf(slot.folder, models, limits);
  const timeline = createTimeline(store);
  const queue = createQueue<Snapshot>(MOST_WAITING);

  const build = async (moment: Moment, found: Mark | null): Promise<Snapshot> => {
    signal.throwIfAborted();
    const from = timeline.nearest(moment);
    const mark = found ?? (await folding.find(moment, from, signal, timeline.note));
    const nearest = shelf.nearest(mark.position);
    if (nearest?.mark.position === mark.position) return nearest;
    const base = nearest && isWorthCopying(nearest.mark, mark) ? nearest : null;
    const began = performance.now();
    const snapshot = await shelf.add(mark, base, file => folding.fold(file, mark, signal, onProgress));
    timeline.note(mark);
    const seconds = (performance.now() - began) / 1_000;
    logger.info(
      { position: mark.position, from: base?.mark.position ?? null, seconds, bytes: snapshot.bytes },
      'built a snapshot of the ledger',
    );
    return snapshot;
  };

  /** What stops a build is for the log; callers are told to come again. */
  const explained = (error: unknown): never => {
    if (error instanceof EngineUnavailable || error instanceof AsOfNotReady) throw error;
    if (!signal.aborted) logger.error({ error }, 'could not build a snapshot of the ledger');
    throw new AsOfNotReady('it could not be built', { cause: error });
  };

  const late = (): never => {
    throw new AsOfNotReady('it is being built');
  };

  const snapshotAt = async (moment: Moment): Promise<Snapshot> => {
    const mark = await timeline.find(moment, SHORT);
    const nearest = mark && shelf.nearest(mark.position);
    if (mark && nearest?.mark.position === mark.position) return nearest;
    const exact = mark ? { position: mark.position } : moment;
    const built = queue.run(JSON.stringify(exact), () => build(exact, mark)).catch(explained);
    return within(patience, built, late);
  };

  const ready = once(() => discardForeign(store, shelf, timeline.note));

  return {
    async read(moment, answer) {
      await ready();
      const { position: asked, instant } = moment;
      if (asked !== undefined) {
        const head = await store.head();
        if (asked > head) throw new BeyondHead(head);
      }
      const snapshot = await snapshotAt(moment);
      const position = instant === undefined && asked !== undefined ? asked : snapshot.mark.position;
      return shelf.use(snapshot, documents =>
        answer(viewsAsOf({ documents, store, projections }, snapshot.mark), position),
      );
    },

    async close() {
      await queue.idle();
      await shelf.close();
      slot.release();
    },
  };
}

/** What has its indexes is filled at half the speed of what gets them at the end: the larger part should be there. */
const isWorthCopying = (base: Mark, { position }: Mark): boolean => 2 * base.position >= position;

/** Removes snapshots of another history, such as that of a store which was replaced by an older copy of itself. */
async function discardForeign(
  store: Pick<EventStore, 'readStream'>,
  shelf: Shelf,
  note: (mark: Mark) => void,
): Promise<void> {
  for (const snapshot of shelf.all()) {
    const { position, event } = snapshot.mark;
    let isOurs = event === null;
    if (event)
      for await (const there of store.readStream(event.stream, { from: event.revision, limit: 1 }))
        isOurs = there.id === event.id && there.position === position;
    if (isOurs) note(snapshot.mark);
    else await shelf.drop(snapshot);
  }
}

/** Does it when it is first asked for, and again only after it failed. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = null;
      throw error;
    }));
}
