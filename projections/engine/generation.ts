import { isLogProjection, type Projection } from '../projection';
import type { Log } from '../../contracts/ports/log';
import { CheckpointMoved, type CollectionSpec, type Documents } from '../../contracts/ports/documents';
import { clearCompared } from './compared-events';
import { allEvents, FROZEN, isFrozen, lastSeen, partitionEnds, topicPartition } from './input-partition';

/**
 * One build of a projection's documents. Its collections and checkpoints have its number in their names, and a number is
 * never used twice, so a late write of a suspended program cannot reach a newer generation.
 */
export type Generation = {
  readonly generation: number;
  readonly version: number;
  /** Names of the specs. Stored because the code of an older version is not available when its documents are dropped. */
  readonly collections: string[];
  readonly checkpoints: string[];
};

export function physicalName(collection: string, generation: number): string {
  return `${collection}@${generation}`;
}

export function physicalSpecs(specs: readonly CollectionSpec[], generation: number): CollectionSpec[] {
  return specs.map(spec => ({ ...spec, name: physicalName(spec.name, generation) }));
}

/** @returns a function from a generation number to that generation */
export async function planGeneration(
  { log }: { readonly log: Log },
  projection: Projection,
): Promise<(generation: number) => Generation> {
  const { name, version } = projection;
  const collections = projection.collections.map(spec => spec.name);
  const partitions = isLogProjection(projection) ? await partitionEnds(log, projection.topics) : null;
  return generation => {
    const inputs = partitions?.map(({ topic, partition }) =>
      topicPartition(name, generation, topic, partition),
    );
    const checkpoints = (inputs ?? [allEvents(name, generation)]).map(input => input.checkpoint);
    return { generation, version, collections, checkpoints };
  };
}

/**
 * Ends a generation for good: its checkpoints are replaced by ones that no runner expects, so that every pending commit
 * to it is refused. Idempotent.
 */
export async function freeze(documents: Documents, { checkpoints }: Generation): Promise<void> {
  for (const name of checkpoints) await freezeCheckpoint(documents, name);
}

async function freezeCheckpoint(documents: Documents, name: string): Promise<void> {
  for (;;) {
    const expect = await documents.checkpoint(name);
    if (isFrozen(expect)) return;
    const value = { offsets: { [FROZEN]: lastSeen(expect) + 1 } };
    try {
      return await documents.commit({ writes: [], checkpoint: { name, value, expect } });
    } catch (error) {
      if (!(error instanceof CheckpointMoved)) throw error;
    }
  }
}

/** Freezes the generation, then removes its documents. */
export async function discard(documents: Documents, generation: Generation): Promise<void> {
  await freeze(documents, generation);
  for (const collection of generation.collections)
    await documents.drop(physicalName(collection, generation.generation));
  await documents.commit({ writes: generation.checkpoints.map(clearCompared) });
}

/** The last input a partition has folded in a generation, and whether it can fold more. */
export interface PartitionProgress {
  readonly seen: number;
  readonly frozen: boolean;
}

/** The progress of each input partition, by the name it has in all generations. */
export async function partitionProgress(
  documents: Documents,
  generation: Generation,
): Promise<Map<string, PartitionProgress>> {
  const progress = new Map<string, PartitionProgress>();
  for (const name of generation.checkpoints) {
    const stored = await documents.checkpoint(name);
    progress.set(partitionOf(name), { seen: lastSeen(stored), frozen: isFrozen(stored) });
  }
  return progress;
}

const partitionOf = (checkpoint: string): string =>
  checkpoint.slice(checkpoint.indexOf('@')).replace(/^@\d+\/?/, '');
