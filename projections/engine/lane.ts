import type { Checkpoint } from '../../contracts/ports/documents';

/**
 * One strand of inputs in order, with a checkpoint of its own: all events, or one partition of a topic. Partitions do
 * not share a checkpoint, since several are in hand at once and would race for it.
 */
export interface Lane {
  /** The name its checkpoint is stored under; it belongs to the generation, so generations advance apart. */
  readonly checkpoint: string;
  /** `topic/partition`, or null for the events. */
  readonly partition: string | null;
}

export function eventLane(projection: string, generation: number): Lane {
  return {
    checkpoint: `${projection}@${generation}`,
    partition: null,
  };
}

export function partitionLane(
  projection: string,
  generation: number,
  topic: string,
  partition: number,
): Lane {
  return {
    checkpoint: `${projection}@${generation}/${topic}/${partition}`,
    partition: `${topic}/${partition}`,
  };
}

/** The last input that is folded: a position, or an offset. -1 before the first. */
export function lastSeen(checkpoint: Checkpoint | null): number {
  if (!checkpoint) return -1;
  if ('position' in checkpoint) return checkpoint.position;
  return Math.max(...Object.values(checkpoint.offsets)) - 1;
}

/** Events store the last position they have seen; partitions the offset to go on from. */
export function checkpointAt({ partition }: Lane, seen: number): Checkpoint {
  return partition === null ? { position: seen } : { offsets: { [partition]: seen + 1 } };
}

/** Stands where a partition would: no lane writes such a checkpoint, and none expects it. */
export const SEALED = 'sealed';

export function isSealed(checkpoint: Checkpoint | null): boolean {
  return checkpoint !== null && 'offsets' in checkpoint && SEALED in checkpoint.offsets;
}
