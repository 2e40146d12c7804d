export interface Subscriber {
  readonly id: number;
  readonly topics: readonly string[];
}

/**
 * Which partitions a member should hold: those of each topic are dealt round among the members that want the topic,
 * in the order of their ids. Every member comes to the same answer by itself.
 */
export function dueTo<Partition extends { readonly topic: string; readonly number: number }>(
  member: number,
  members: readonly Subscriber[],
  partitions: readonly Partition[],
): Partition[] {
  return partitions.filter(({ topic, number }) => {
    const takers = members.filter(({ topics }) => topics.includes(topic)).sort((a, b) => a.id - b.id);
    return takers[number % takers.length]?.id === member;
  });
}
