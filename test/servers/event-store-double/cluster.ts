import { join } from 'node:path';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { freePorts } from '../program';
import { type Endpoint, type NodeState, newNodeState } from './node-state';
import { startNode } from './start-node';
import { openScavengedStore } from './scavenging';
import { openStreams } from './streams';

export interface Cluster {
  /** Connection string with all nodes. */
  readonly url: string;
  readonly nodes: readonly NodeState[];
  readonly ports: readonly number[];
  /** The node becomes the leader; the others follow it. */
  elect(leader: number): void;
  stop(): Promise<void>;
}

/** Nodes of the double in this process, over one embedded event store. The first leads. */
export async function startCluster(folder: string, size: number): Promise<Cluster> {
  const store = await openScavengedStore(openSqliteEventStore({ path: join(folder, 'cluster.sqlite') }));
  const streams = await openStreams(store);
  const ports = await freePorts(size);
  const endpoints: Endpoint[] = ports.map(port => ({ host: '127.0.0.1', port }));
  const nodes = endpoints.map(newNodeState);
  const elect = (leader: number): void =>
    nodes.forEach((node, index) => (node.leader = index === leader ? null : endpoints[leader]!));
  elect(0);
  const members = () =>
    endpoints.map((endpoint, index) => ({ endpoint, isLeader: nodes[index]!.leader === null }));
  const stops = await Promise.all(
    nodes.map((state, index) => startNode({ store, streams, port: ports[index]!, state, members })),
  );
  return {
    url: `esdb://${ports.map(port => `127.0.0.1:${port}`).join(',')}?tls=false`,
    nodes,
    ports,
    elect,
    stop: async () => {
      stops.forEach(stop => stop());
      await store.close();
    },
  };
}
