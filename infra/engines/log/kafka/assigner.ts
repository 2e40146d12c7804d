import { AssignerProtocol, type Cluster, type GroupMember, type PartitionAssigner } from 'kafkajs';
import { dueTo, type Subscriber } from '../assignment';

const { MemberAssignment, MemberMetadata } = AssignerProtocol;

const VERSION = 0;

const subscribersOf = (members: readonly GroupMember[]): (Subscriber & { readonly memberId: string })[] =>
  [...members]
    .sort((a, b) => (a.memberId < b.memberId ? -1 : 1))
    .map(({ memberId, memberMetadata }, id) => ({
      memberId,
      id,
      topics: MemberMetadata.decode(memberMetadata)?.topics ?? [],
    }));

const partitionsOf = async (cluster: Cluster, topics: readonly string[]) => {
  // The leader of the group deals out topics that it may not want itself.
  await cluster.addMultipleTargetTopics([...topics]);
  return topics.flatMap(topic =>
    cluster
      .findTopicPartitionMetadata(topic)
      .map(({ partitionId }) => ({ topic, number: partitionId }))
      .sort((a, b) => a.number - b.number),
  );
};

/**
 * Deals the partitions of each topic round among the members that want the topic, as the embedded log does. (The one
 * that kafkajs comes with gives members partitions of topics that they do not want, and nobody reads these.)
 */
export const dealing: PartitionAssigner = ({ cluster }) => ({
  name: 'Dealing',
  version: VERSION,

  protocol: ({ topics }) => ({
    name: 'Dealing',
    metadata: MemberMetadata.encode({ version: VERSION, topics, userData: Buffer.alloc(0) }),
  }),

  assign: async ({ members }) => {
    const subscribers = subscribersOf(members);
    const topics = [...new Set(subscribers.flatMap(subscriber => subscriber.topics))];
    const partitions = await partitionsOf(cluster, topics);
    return subscribers.map(({ memberId, id }) => {
      const assignment: Record<string, number[]> = {};
      for (const { topic, number } of dueTo(id, subscribers, partitions))
        (assignment[topic] ??= []).push(number);
      const memberAssignment = MemberAssignment.encode({
        version: VERSION,
        assignment,
        userData: Buffer.alloc(0),
      });
      return { memberId, memberAssignment };
    });
  },
});
