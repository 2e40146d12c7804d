import { join } from 'node:path';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { freePorts } from '../program';
import { catchUp, NOT_READY, READY } from './readiness';
import { type Endpoint, type NodeState, newNodeState } from './node-state';
import { startNode } from './start-node';
import { openServerLog } from './server-log';
import { openStreams } from './streams';

export interface Cluster {
  /** Connection string with all nodes. */
  readonly url: string;
  readonly nodes: readonly NodeState[];
  readonly ports: readonly number[];
  /** The node becomes the leader; the others follow it, and notice which have stopped. */
  elect(leader: number): void;
  /**
   * Its connections are lost, and it refuses new ones. Until the next election the others take it for what it was, and are not
   * ready when that is their leader.
   */
  stopNode(index: number): Promise<void>;
  /** It follows the leader. Resolves when it listens, and is not ready yet: it then catches up. */
  startNode(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Nodes of the double in this process, over one embedded event store. The first leads. */
export async function startCluster(folder: string, size: number): Promise<Cluster> {
  const store = await openServerLog(openSqliteEventStore({ path: join(folder, 'cluster.sqlite') }));
  const streams = await openStreams(store);
  const ports = await freePorts(size);
  const endpoints: Endpoint[] = ports.map(port => ({ host: '127.0.0.1', port }));
  const nodes = endpoints.map(newNodeState);
  const running = new Map<number, () => void>();
  let members: readonly { endpoint: Endpoint; isLeader: boolean; isAlive: boolean }[] = [];
  let leader = 0;
  /** Those that lost their leader. */
  const leaderless = new Set<NodeState>();
  const catchingUp: Promise<void>[] = [];

  const elect = (elected: number): void => {
    leader = elected;
    for (const node of leaderless) Object.assign(node, READY);
    leaderless.clear();
    nodes.forEach((node, index) => (node.leader = index === leader ? null : endpoints[leader]!));
    members = endpoints.map((endpoint, index) => ({
      endpoint,
      isLeader: index === leader,
      isAlive: running.has(index),
    }));
  };
  const listen = async (index: number): Promise<void> => {
    const state = nodes[index]!;
    const stop = await startNode({ store, streams, port: ports[index]!, state, members: () => members });
    running.set(index, stop);
  };

  await Promise.all(nodes.map((_, index) => listen(index)));
  elect(leader);
  return {
    url: `esdb://${ports.map(port => `127.0.0.1:${port}`).join(',')}?tls=false`,
    nodes,
    ports,
    elect,
    stopNode: async index => {
      running.get(index)!();
      running.delete(index);
      const stopped = nodes[index]!;
      leaderless.delete(stopped);
      if (index === leader) for (const other of running.keys()) leaderless.add(nodes[other]!);
      for (const node of leaderless) Object.assign(node, NOT_READY);
      stopped.replicated = await store.head();
    },
    startNode: async index => {
      const state = nodes[index]!;
      Object.assign(state, NOT_READY);
      await listen(index);
      elect(leader);
      catchingUp.push(catchUp(state, store));
    },
    stop: async () => {
      for (const stop of running.values()) stop();
      running.clear();
      await Promise.all(catchingUp);
      await store.close();
    },
  };
}
