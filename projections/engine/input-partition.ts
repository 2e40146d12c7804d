import type { Checkpoint, CountedEvents } from '../../contracts/ports/documents';
import type { Log } from '../../contracts/ports/log';

/**
 * An ordered stream of inputs with a checkpoint of its own: all events, or one partition of a topic. Partitions do not
 * share a checkpoint, since several are folded at once and would race for it.
 */
export interface InputPartition {
  /** Name of its checkpoint. It contains the generation, so that generations advance independently. */
  readonly checkpoint: string;
  /** `topic/partition`, or null for the events. */
  readonly partition: string | null;
}

export function allEvents(projection: string, generation: number): InputPartition {
  return {
    checkpoint: `${projection}@${generation}`,
    partition: null,
  };
}

export function topicPartition(
  projection: string,
  generation: number,
  topic: string,
  partition: number,
): InputPartition {
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

/** The events counted so far; from the checkpoint on, where it was stored by a version that did not count. */
export function countIn(checkpoint: Checkpoint | null): CountedEvents {
  const counted = checkpoint && 'position' in checkpoint ? checkpoint.counted : undefined;
  return counted ?? { after: lastSeen(checkpoint), events: 0 };
}

/** For events the last position seen, and their count; for a partition the next offset. */
export function checkpointAt(
  { partition }: InputPartition,
  seen: number,
  counted: CountedEvents,
): Checkpoint {
  return partition === null ? { position: seen, counted } : { offsets: { [partition]: seen + 1 } };
}

/** In place of a partition's name. No writer writes or expects such a checkpoint. */
export const FROZEN = 'frozen';

export function isFrozen(checkpoint: Checkpoint | null): boolean {
  return checkpoint !== null && 'offsets' in checkpoint && FROZEN in checkpoint.offsets;
}

export interface PartitionEnd {
  readonly topic: string;
  readonly partition: number;
  /** Offset of its next message. */
  readonly end: number;
}

/** Every partition of the topics. */
export async function partitionEnds(log: Log, topics: readonly string[]): Promise<PartitionEnd[]> {
  const ends = await Promise.all(topics.map(topic => log.endOffsets(topic)));
  return topics.flatMap((topic, i) => ends[i]!.map((end, partition) => ({ topic, partition, end })));
}
