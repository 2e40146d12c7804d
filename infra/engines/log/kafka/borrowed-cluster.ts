import type { Cluster, Kafka } from 'kafkajs';

/**
 * Connections to the brokers without a group. kafkajs has no consumer that is given its partitions; but it hands its
 * assigners the cluster of their consumer, and this one, which never joins anything, leaves it to us.
 */
export function borrowCluster(client: Kafka): Cluster {
  let borrowed: Cluster | null = null;
  client.consumer({
    groupId: 'nobody',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      ({ cluster }) => {
        borrowed = cluster;
        return {
          name: 'none',
          version: 0,
          assign: async () => [],
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
        };
      },
    ],
  });
  return borrowed!;
}
