import type { Cluster, Kafka } from 'kafkajs';

/**
 * Connections to the brokers outside any group. kafkajs has no consumer with manual assignment, but it passes the cluster
 * of a consumer to its assigners: this consumer never connects, and only provides its cluster.
 */
export function createCluster(client: Kafka): Cluster {
  let provided: Cluster | null = null;
  client.consumer({
    groupId: 'unused',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      ({ cluster }) => {
        provided = cluster;
        return {
          name: 'none',
          version: 0,
          assign: async () => [],
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
        };
      },
    ],
  });
  return provided!;
}
