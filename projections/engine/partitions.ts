import type { Log } from '../../contracts/ports/log';

export interface PartitionEnd {
  readonly topic: string;
  readonly partition: number;
  /** The offset its next message will get. */
  readonly end: number;
}

/** Every partition of the topics. */
export async function partitionEnds(log: Log, topics: readonly string[]): Promise<PartitionEnd[]> {
  const ends = await Promise.all(topics.map(topic => log.ends(topic)));
  return topics.flatMap((topic, i) => ends[i]!.map((end, partition) => ({ topic, partition, end })));
}
