import { Connection, type FetchFn } from '@solana/web3.js';
import type { Logger } from 'pino';
import { Agent } from 'undici';
import { messageOf } from '../../../contracts/error-message';
import { RpcError, type SolanaClient, type SolanaNode } from '../../../contracts/ports/solana-client';
import { WrongNetwork } from '../../../contracts/wrong-network';
import { HttpError } from '../../../indexers/http-response';
import { createFailover } from '../failover';
import { createBatches } from './batches';
import { solanaCalls } from './calls';
import { callRpc, callRpcBatch, post } from './json-rpc';
import { subscribeToSlots } from './slot-notifications';

/** A node: JSON-RPC over HTTP, and where it announces new slots; without the latter it is polled. */
export interface SolanaNodeUrls {
  readonly url: string;
  readonly ws?: string | undefined;
}

export interface SolanaClientOptions {
  /** The first is used while it answers, then the next, round-robin. */
  readonly urls: readonly SolanaNodeUrls[];
  readonly logger: Logger;
  /** For one call; default 10,000. */
  readonly timeoutMs?: number;
  /** Maximum attempts of a read, each on the next node; default 4. */
  readonly attempts?: number;
  /** Before the second attempt, growing from there; default 200. */
  readonly backoffMs?: number;
  /** Calls at a time; default 32. */
  readonly maxConcurrent?: number;
  /** Ends all calls in flight. */
  readonly signal: AbortSignal;
}

/** Errors that are the same on every node. */
const REFUSALS: ReadonlySet<number> = new Set([
  -32002, // SEND_TRANSACTION_PREFLIGHT_FAILURE
  -32003, // TRANSACTION_SIGNATURE_VERIFICATION_FAILURE
  -32600, // invalid request
  -32602, // invalid params
]);

/** Several nodes of one network as one. */
export function createSolanaClient(options: SolanaClientOptions): SolanaClient {
  const { urls, logger, timeoutMs = 10_000, maxConcurrent = 32, signal } = options;
  const dispatcher = new Agent({ connections: maxConcurrent });
  signal.addEventListener('abort', () => void dispatcher.destroy(), { once: true });

  const posting = { dispatcher, timeoutMs };
  // Not the fetch of undici: what it decompresses has no bound.
  const fetch: FetchFn = async (url, init) => {
    try {
      const text = await post(String(url), String(init?.body), posting);
      return new Response(text) as Awaited<ReturnType<FetchFn>>;
    } catch (error) {
      // web3.js never ends a call that fails with anything else.
      throw error instanceof Error ? error : new Error(messageOf(error), { cause: error });
    }
  };
  const nodes = urls.map(({ url }): SolanaNode => ({
    url,
    connection: new Connection(url, {
      commitment: 'confirmed',
      fetch,
      httpAgent: false,
      disableRetryOnRateLimit: true,
    }),
    rpc: (method, params) => callRpc(url, { method, params }, posting),
    batch: createBatches(
      call => callRpc(url, call, posting),
      calls => callRpcBatch(url, calls, posting),
    ),
  }));
  const failover = createFailover<SolanaNode>({
    ...options,
    endpoints: nodes,
    maxConcurrent,
    isRefusal: error => error instanceof RpcError && REFUSALS.has(error.code),
    pauseMs: error => (error instanceof HttpError ? error.retryAfterMs : null),
    onFailure: ({ url }, error) => logger.warn({ url, err: error }, 'solana node failed'),
  });
  const slots = subscribeToSlots(
    urls.flatMap(({ ws }) => ws ?? []),
    logger,
    signal,
  );

  let genesis: string | null = null;
  const verified = new Set<SolanaNode>();
  const verify = async (node: SolanaNode): Promise<void> => {
    if (genesis === null || verified.has(node)) return;
    const found = await node.connection.getGenesisHash();
    if (found !== genesis) throw new WrongNetwork(`${node.url} has genesis ${found}, not ${genesis}`);
    verified.add(node);
  };
  const ask: SolanaClient['withFailover'] = read =>
    failover.run(async node => {
      await verify(node);
      return read(node);
    });

  return {
    ...solanaCalls(ask),
    withFailover: ask,
    expectGenesis(hash) {
      genesis = hash;
    },
    useNextNode: failover.useNext,
    nodeCount: nodes.length,
    waitForSlot: timeoutMs => slots.next(timeoutMs),
  };
}
