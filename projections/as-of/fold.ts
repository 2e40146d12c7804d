import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import { DELETIONS } from '../engine/deletions';
import { fillFromEvents, type OnProgress, type Progress } from '../engine/fill';
import { physicalSpecs, type Generation } from '../engine/generation';
import { eventLane } from '../engine/lane';
import { createViews } from '../engine/views';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import type { Mark } from './timeline';
import { prefixOf } from './prefix';

/** All documents of such a store are of one generation. */
const GENERATION = 1;

/** How far the folding of one projection is, in positions. */
export type OnFolding = (projection: string, progress: Progress) => void;

interface Ledger {
  readonly documents: Documents;
  readonly store: Pick<EventStore, 'readAll'>;
  readonly projections: readonly EventProjection[];
}

/**
 * Folds the events up to the mark into documents of their own: those that are there are of an earlier mark, or none.
 * Made by the engine's own filling, as a rebuild is, so that nothing about them depends on when they were folded.
 * @throws FoldError; the reason of the signal, between two batches
 */
export async function foldUpTo(
  { documents, store, projections }: Ledger,
  { position }: Mark,
  signal: AbortSignal,
  onProgress: OnFolding = () => undefined,
): Promise<void> {
  const prefix = prefixOf(store, position);
  const specs = projections.flatMap(({ collections }) => physicalSpecs(collections, GENERATION));
  // An index that is there already stays; where there is none yet, filling is several times faster without.
  await documents.declare([DELETIONS, ...specs], { deferIndexes: true });
  for (const projection of projections) {
    const report: OnProgress = progress => onProgress(projection.name, progress);
    const ledger = { store: prefix, documents, hooks: {} };
    await fillFromEvents(ledger, projection, GENERATION, signal, report);
    report({ done: position + 1, total: position + 1 });
  }
  for (const spec of specs) {
    signal.throwIfAborted();
    await documents.declare([spec]);
  }
}

/** Queries over documents that were folded up to the mark. Nothing of them is kept in memory: they are asked for seldom. */
export function viewsAsOf({ documents, store, projections }: Ledger, { position }: Mark): Views {
  const generations = new Map(projections.map(projection => [projection.name, generationOf(projection)]));
  const generation = (name: string): Generation | null => generations.get(name) ?? null;
  const views = createViews({
    projections,
    documents,
    store: prefixOf(store, position),
    records: { peek: () => null },
    serving: {
      generation: async name => generation(name),
      renew: async name => generation(name),
      peek: generation,
    },
  });
  return { ...views, answer: (_question, workOut) => workOut() };
}

const generationOf = ({ name, version, collections }: EventProjection): Generation => ({
  generation: GENERATION,
  version,
  collections: collections.map(spec => spec.name),
  checkpoints: [eventLane(name, GENERATION).checkpoint],
});
