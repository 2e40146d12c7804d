export interface Subscriber {
  readonly id: number;
  readonly topics: readonly string[];
}

/**
 * The partitions of a member by round-robin: those of each topic are distributed over the members that subscribe to it,
 * in the order of their ids. Every member computes the same assignment on its own.
 */
export function assignPartitions<Partition extends { readonly topic: string; readonly number: number }>(
  member: number,
  members: readonly Subscriber[],
  partitions: readonly Partition[],
): Partition[] {
  return partitions.filter(({ topic, number }) => {
    const subscribers = members.filter(({ topics }) => topics.includes(topic)).sort((a, b) => a.id - b.id);
    return subscribers[number % subscribers.length]?.id === member;
  });
}
