import { run, type Child } from './child';
import { withoutNetworks } from './ports';

export interface Sending {
  readonly messages: number;
  /** Sent at this rate, whether or not earlier ones were answered; default: each when one of 256 was answered. */
  readonly perSecond?: number;
}

export interface Sent {
  /** From the first request until the last message was received. */
  readonly seconds: number;
  /** From a request until its message was received, in milliseconds. */
  readonly latencies: readonly number[];
  readonly lost: number;
  readonly duplicates: number;
}

export interface Storm {
  /** From the first connection until each client has received its message. */
  readonly seconds: number;
  readonly unserved: number;
  /** Meanwhile, on streams that stay open. */
  readonly others: Sent;
}

/** What `programs/bridge-clients` does on request, one at a time. */
export interface BridgeClients {
  /** Opens event streams, each of its own client ids. */
  open(question: { readonly streams: number; readonly idsEach: number }): number;
  /** Sends messages to the open streams in turn, and waits until all were received. */
  send(question: Sending): Sent;
  /** Sends a message to each of so many client ids that have no stream. */
  leave(question: { readonly ids: number; readonly ttl: number; readonly reconnect: boolean }): void;
  /** Those of `leave` connect at once, while messages are sent to the open streams. */
  storm(question: { readonly perSecond: number }): Storm;
  /** Waits until all streams have received so many more heartbeats. */
  heartbeats(count: number): void;
  /** Closes all streams. */
  close(): void;
  cpu(): NodeJS.CpuUsage;
}

export type BridgeQuestion = readonly [name: keyof BridgeClients, question?: unknown];

/** A server, and its clients in a process of their own. */
export interface BridgeSide {
  ask<Name extends keyof BridgeClients>(
    name: Name,
    ...question: Parameters<BridgeClients[Name]>
  ): Promise<ReturnType<BridgeClients[Name]>>;
  /** Microseconds so far. */
  cpu(): Promise<{ readonly server: number; readonly clients: number }>;
  /** Of the server, in bytes. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

async function side(server: Child, path: string): Promise<BridgeSide> {
  const clients = run('programs/bridge-clients', [`${await server.next<string>()}${path}`]);
  const total = ({ user, system }: NodeJS.CpuUsage): number => user + system;
  return {
    ask: (name, ...question) => clients.ask([name, ...question]),
    cpu: async () => ({
      server: total(await server.ask<NodeJS.CpuUsage>('cpu')),
      clients: total(await clients.ask<NodeJS.CpuUsage>(['cpu'])),
    }),
    memory: () => server.ask<number>('memory'),
    stop: async () => {
      await clients.stop();
      await server.stop();
    },
  };
}

const UNLIMITED = {
  MAX_CONNECTIONS: '0',
  MAX_CONNECTIONS_PER_CALLER: '0',
  MAX_STREAMS: '0',
  MAX_STREAMS_PER_CALLER: '0',
  RATE_LIMIT_BRIDGE_MESSAGES: '0',
  RATE_LIMIT_BRIDGE_STREAMS: '0',
};

/** The bridge in a process of its own, as `tidemark run bridge` runs it, and a relay. */
export async function bridgeAndRelay(
  folder: string,
  heartbeatSeconds = 10,
): Promise<{ ours: BridgeSide; relay: BridgeSide }> {
  const env = {
    ...process.env,
    ...(await withoutNetworks()),
    ...UNLIMITED,
    STREAM_HEARTBEAT_SECONDS: String(heartbeatSeconds),
    DATA_DIR: folder,
    PORT: '0',
  };
  return {
    ours: await side(run('programs/serve', ['bridge'], { env }), '/tonconnect'),
    relay: await side(run('programs/bare-relay', [String(heartbeatSeconds)]), ''),
  };
}
