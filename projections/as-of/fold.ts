import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import { catchUpWithEvents, type OnProgress, type CatchUpProgress } from '../engine/catch-up';
import { physicalSpecs, type Generation } from '../engine/generation';
import { allEvents } from '../engine/input-partition';
import { createViews } from '../engine/views';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import type { Mark } from './timeline';
import { prefixOf } from './prefix';

/** A snapshot has only one generation. */
const GENERATION = 1;

/** Progress of one projection, in positions. */
export type OnFolding = (projection: string, progress: CatchUpProgress) => void;

interface Ledger {
  readonly documents: Documents;
  readonly store: Pick<EventStore, 'readAll'>;
  readonly projections: readonly EventProjection[];
}

/**
 * Folds the events up to the mark into documents, which are empty or of an earlier mark. Uses the catch-up of a rebuild, so
 * the documents do not depend on when they were folded.
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
  // An existing index stays; without indexes folding is several times faster.
  await documents.declare(specs, { deferIndexes: true });
  for (const projection of projections) {
    const report: OnProgress = progress => onProgress(projection.name, progress);
    const ledger = { store: prefix, documents, hooks: {} };
    await catchUpWithEvents(ledger, projection, GENERATION, signal, report);
    report({ done: position + 1, total: position + 1 });
  }
  for (const spec of specs) {
    signal.throwIfAborted();
    await documents.declare([spec]);
  }
}

/** Queries over documents that were folded up to the mark. Answers are not cached, since they are rarely used again. */
export function viewsAsOf({ documents, projections }: Ledger, { position }: Mark): Views {
  const generations = new Map(projections.map(projection => [projection.name, generationOf(projection)]));
  const generation = (name: string): Generation | null => generations.get(name) ?? null;
  const views = createViews({
    projections,
    documents,
    readiness: { admit: () => null },
    waits: { waitFor: async (_projection, wanted) => wanted <= position },
    generations: {
      get: async name => generation(name),
      refresh: async name => generation(name),
      peek: generation,
      onSwitch: () => () => undefined,
    },
  });
  return { ...views, cached: (_query, compute) => compute() };
}

const generationOf = ({ name, version, collections }: EventProjection): Generation => ({
  generation: GENERATION,
  version,
  collections: collections.map(spec => spec.name),
  checkpoints: [allEvents(name, GENERATION).checkpoint],
});
