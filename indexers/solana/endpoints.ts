import { Connection, type FetchFn } from '@solana/web3.js';
import type { Logger } from 'pino';
import { Agent, fetch as undiciFetch, type RequestInit } from 'undici';
import { setTimeout as pause } from 'node:timers/promises';
import { callRpc } from './json-rpc';
import { createWaker } from './waker';
import { WrongNetwork } from './wrong-network';

/** A node: JSON-RPC over HTTP, and where it tells of new slots; without the latter it is polled. */
export interface EndpointUrls {
  readonly url: string;
  readonly ws?: string | undefined;
}

export interface Endpoint {
  readonly url: string;
  readonly connection: Connection;
  rpc(method: string, params: readonly unknown[]): Promise<unknown>;
}

export interface EndpointOptions {
  /** The first is used while it answers, then the next, and so on in a circle. */
  readonly urls: readonly EndpointUrls[];
  readonly logger: Logger;
  /** Milliseconds for one call; default 10,000. */
  readonly timeout?: number;
  /** Calls in all before a read is given up, each on the next endpoint; default 4. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, doubling; default 200. */
  readonly backoff?: number;
  /** Ends all calls in flight. */
  readonly signal: AbortSignal;
}

/** Several nodes of one network as one that answers. */
export interface Endpoints {
  /** Runs a read on the endpoint in use; when it throws, on the next, a bounded number of times. */
  ask<T>(read: (endpoint: Endpoint) => Promise<T>): Promise<T>;
  /** From here on endpoints of another genesis are refused. */
  expectGenesis(hash: string): void;
  /** Goes on to the next endpoint, for an answer that another may know better. */
  turn(): void;
  readonly count: number;
  /** Resolves when a new slot is heard of, or at the time-out (milliseconds). */
  woken(timeout: number): Promise<void>;
}

export function createEndpoints(options: EndpointOptions): Endpoints {
  const { urls, logger, timeout = 10_000, attempts = 4, backoff = 200, signal } = options;
  if (urls.length === 0) throw new Error('a Solana network needs at least one URL');
  const dispatcher = new Agent({ connections: 32 });
  signal.addEventListener('abort', () => void dispatcher.destroy(), { once: true });

  const fetch = ((input: string, init: RequestInit) =>
    undiciFetch(input, { ...init, dispatcher, signal: AbortSignal.timeout(timeout) })) as unknown as FetchFn;
  const endpoints = urls.map(({ url }): Endpoint => ({
    url,
    connection: new Connection(url, {
      commitment: 'confirmed',
      fetch,
      httpAgent: false,
      disableRetryOnRateLimit: true,
    }),
    rpc: (method, params) => callRpc(url, method, params, { dispatcher, timeout }),
  }));

  const waker = createWaker(
    urls.flatMap(({ ws }) => ws ?? []),
    logger,
    signal,
  );

  let at = 0;
  let genesis: string | null = null;
  const verified = new Set<Endpoint>();
  const verify = async (endpoint: Endpoint): Promise<void> => {
    if (genesis === null || verified.has(endpoint)) return;
    const found = await endpoint.connection.getGenesisHash();
    if (found !== genesis) throw new WrongNetwork(`${endpoint.url} has genesis ${found}, not ${genesis}`);
    verified.add(endpoint);
  };

  return {
    async ask(read) {
      for (let attempt = 1; ; attempt++) {
        const endpoint = endpoints[at]!;
        try {
          await verify(endpoint);
          return await read(endpoint);
        } catch (error) {
          if (signal.aborted || attempt >= attempts) throw error;
          logger.warn({ url: endpoint.url, attempt, error: String(error) }, 'solana endpoint failed');
          if (endpoints[at] === endpoint) at = (at + 1) % endpoints.length;
          await pause(backoff * 2 ** (attempt - 1), undefined, { signal });
        }
      }
    },
    expectGenesis(hash) {
      genesis = hash;
    },
    turn() {
      at = (at + 1) % endpoints.length;
    },
    count: endpoints.length,
    woken: timeout => waker.next(timeout),
  };
}
