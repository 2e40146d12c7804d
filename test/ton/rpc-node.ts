import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import type { BlockChanges } from '../../contracts/http/ton/rpc';
import type { NetworkIdentity } from '../../contracts/network/network-identity';
import type { TonNetwork } from '../../contracts/network/network';
import { NO_LIMITS, type RateLimits } from '../../contracts/ports/rate-limits';
import { createTonNodes, type TonNodesOptions } from '../../infra/engines/ton-nodes/ton-nodes';
import { createAppServer } from '../../services/http/server';
import { tonRpcRoutes } from '../../services/ton-rpc/routes';
import { createTestApp } from '../app';
import { firstIdentity } from '../doubles/network-identity';

export interface RpcNode {
  /** Of the API, with the network in its path: for `TonClient4`. */
  readonly url: string;
  /** Its answer to a path. @param from the address of the caller */
  get(path: string, from?: string): Promise<RpcAnswer>;
  send(body: object, from?: string): Promise<RpcAnswer>;
  /** What its health names. */
  faults(): readonly string[];
  /** Follows `/block/watch/changed`. */
  watch(): Promise<Watched>;
  close(): Promise<void>;
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Watched {
  readonly frames: BlockChanges[];
  /** Resolves with the code of the close. */
  readonly closed: Promise<number>;
  readonly socket: WebSocket;
}

const logger = pino({ level: 'silent' });

/** The RPC node of a network alone, in front of these nodes. */
export async function startRpcNode(
  urls: readonly string[],
  options: Partial<TonNodesOptions> & {
    readonly latestTtlMs?: number;
    readonly network?: TonNetwork;
    readonly identity?: NetworkIdentity;
    readonly limits?: RateLimits;
  } = {},
): Promise<RpcNode> {
  const {
    network = 'testnet',
    identity = firstIdentity(),
    latestTtlMs = 1_000,
    limits = NO_LIMITS,
    ...rest
  } = options;
  const stop = new AbortController();
  const nodes = createTonNodes({ urls, identity, logger, backoffMs: 1, ...rest, signal: stop.signal });
  const bindings = tonRpcRoutes({
    nodes: () => nodes,
    maxCachedBytes: 16 * 2 ** 20,
    latestTtlMs,
    limits: async () => limits,
    logger,
  });
  const app = createTestApp(bindings, { trustedProxies: 1, stopping: stop.signal });
  const server = createAppServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/rpc/${network}`;
  const read = async (response: Response): Promise<RpcAnswer> => ({
    status: response.status,
    headers: response.headers,
    body: JSON.parse(await response.text()) as unknown,
  });
  return {
    url,
    faults: nodes.faults,
    get: async (path, from = '192.0.2.1') =>
      read(await fetch(url + path, { headers: { 'x-forwarded-for': from } })),
    send: async (body, from = '192.0.2.1') =>
      read(
        await fetch(`${url}/send`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
          body: JSON.stringify(body),
        }),
      ),
    async watch() {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/block/watch/changed`);
      const frames: BlockChanges[] = [];
      socket.on('message', data => frames.push(JSON.parse(String(data)) as BlockChanges));
      const closed = new Promise<number>(resolve => socket.once('close', resolve));
      await once(socket, 'open');
      return { frames, closed, socket };
    },
    async close() {
      stop.abort();
      server.closeAllConnections();
      server.close();
      await nodes.close();
    },
  };
}
