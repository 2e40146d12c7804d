import { isLogProjection, type Projection } from '../projection';
import type { Log } from '../../contracts/ports/log';
import { CheckpointMoved, type CollectionSpec, type Documents } from '../../contracts/ports/documents';
import { forgetDeletions } from './deletions';
import { eventLane, isSealed, lastSeen, partitionLane, SEALED } from './lane';
import { partitionEnds } from './partitions';

/**
 * One filling of a projection's collections. Its documents and checkpoints bear its number, and a number is never
 * given out twice, so what a program that slept through its end still writes cannot meet a living generation.
 */
export type Generation = {
  readonly generation: number;
  readonly version: number;
  /** Names of the spec. Recorded because the code of an older version is not there when its documents are dropped. */
  readonly collections: string[];
  readonly checkpoints: string[];
};

export function physical(collection: string, generation: number): string {
  return `${collection}@${generation}`;
}

export function physicalSpecs(specs: readonly CollectionSpec[], generation: number): CollectionSpec[] {
  return specs.map(spec => ({ ...spec, name: physical(spec.name, generation) }));
}

/** Looks up what a generation consists of; the number is given when it is known. */
export async function planGeneration(
  { log }: { readonly log: Log },
  projection: Projection,
): Promise<(generation: number) => Generation> {
  const { name, version } = projection;
  const collections = projection.collections.map(spec => spec.name);
  const partitions = isLogProjection(projection) ? await partitionEnds(log, projection.topics) : null;
  return generation => {
    const lanes = partitions?.map(({ topic, partition }) =>
      partitionLane(name, generation, topic, partition),
    );
    const checkpoints = (lanes ?? [eventLane(name, generation)]).map(lane => lane.checkpoint);
    return { generation, version, collections, checkpoints };
  };
}

/**
 * Ends a generation for good: its checkpoints are replaced by ones that no runner expects, so that every commit still
 * on its way to it is refused. Repeating it changes nothing.
 */
export async function seal(documents: Documents, { checkpoints }: Generation): Promise<void> {
  for (const name of checkpoints) await sealLane(documents, name);
}

async function sealLane(documents: Documents, name: string): Promise<void> {
  for (;;) {
    const expect = await documents.checkpoint(name);
    if (isSealed(expect)) return;
    const value = { offsets: { [SEALED]: lastSeen(expect) + 1 } };
    try {
      return await documents.commit({ writes: [], checkpoint: { name, value, expect } });
    } catch (error) {
      if (!(error instanceof CheckpointMoved)) throw error;
    }
  }
}

/** Seals the generation, then removes its documents. */
export async function discard(documents: Documents, generation: Generation): Promise<void> {
  await seal(documents, generation);
  for (const collection of generation.collections)
    await documents.drop(physical(collection, generation.generation));
  await documents.commit({ writes: generation.checkpoints.map(forgetDeletions) });
}

/** How far a lane of a generation got, and whether it can still be moved. */
export interface Reach {
  readonly seen: number;
  readonly sealed: boolean;
}

/** The reach of each lane, by what its checkpoint is called after the generation: the same in all generations. */
export async function reachOf(documents: Documents, generation: Generation): Promise<Map<string, Reach>> {
  const reach = new Map<string, Reach>();
  for (const name of generation.checkpoints) {
    const stored = await documents.checkpoint(name);
    reach.set(laneIn(name), { seen: lastSeen(stored), sealed: isSealed(stored) });
  }
  return reach;
}

const laneIn = (checkpoint: string): string =>
  checkpoint.slice(checkpoint.indexOf('@')).replace(/^@\d+\/?/, '');
