import { AssignerProtocol, type Cluster, type GroupMember, type PartitionAssigner } from 'kafkajs';
import { assignPartitions, type Subscriber } from '../assign-partitions';

const { MemberAssignment, MemberMetadata } = AssignerProtocol;

const NAME = 'SubscribedRoundRobin';
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
  // The leader of the group also assigns topics that it does not subscribe to.
  await cluster.addMultipleTargetTopics([...topics]);
  return topics.flatMap(topic =>
    cluster
      .findTopicPartitionMetadata(topic)
      .map(({ partitionId }) => ({ topic, number: partitionId }))
      .sort((a, b) => a.number - b.number),
  );
};

/**
 * Assigns the partitions of each topic by round-robin to the members that subscribe to it, as the embedded log does. (The
 * assigner of kafkajs assigns members partitions of topics that they do not subscribe to, which are then not consumed.)
 */
export const roundRobinAssigner: PartitionAssigner = ({ cluster }) => ({
  name: NAME,
  version: VERSION,

  protocol: ({ topics }) => ({
    name: NAME,
    metadata: MemberMetadata.encode({ version: VERSION, topics, userData: Buffer.alloc(0) }),
  }),

  assign: async ({ members }) => {
    const subscribers = subscribersOf(members);
    const topics = [...new Set(subscribers.flatMap(subscriber => subscriber.topics))];
    const partitions = await partitionsOf(cluster, topics);
    return subscribers.map(({ memberId, id }) => {
      const assignment: Record<string, number[]> = {};
      for (const { topic, number } of assignPartitions(id, subscribers, partitions))
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
