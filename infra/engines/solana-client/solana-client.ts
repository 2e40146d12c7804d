import { Connection, type FetchFn } from '@solana/web3.js';
import type { Logger } from 'pino';
import { Agent } from 'undici';
import { z } from 'zod';
import { messageOf } from '../../../contracts/text/error-message';
import type { NetworkIdentity, VerifiedSources } from '../../../contracts/network/network-identity';
import { RpcError, type SolanaClient, type SolanaNode } from '../../../contracts/ports/solana-client';
import { redactedUrl } from '../../../contracts/url/redacted-url';
import {
  createSourceVerifier,
  unreadable,
  UNVERIFIED,
  type SourceVerifier,
} from '../../../contracts/source-verifier';
import { HttpError, ResponseTooLarge } from '../../../indexers/http-response';
import { createOutageLog } from '../../../indexers/outage-log';
import { createFailover } from '../failover';
import { createBatches } from './batches';
import { solanaCalls } from './calls';
import { callRpc, callRpcBatch, post } from './json-rpc';
import { subscribeToSlots } from './slot-notifications';
import { withoutTexts } from './without-texts';

/** A node: JSON-RPC over HTTP, and where it announces new slots; without the latter it is polled. */
export interface SolanaNodeUrls {
  readonly url: string;
  readonly ws?: string | undefined;
}

export interface SolanaClientOptions {
  /** The first is used while it answers, then the next, round-robin. */
  readonly urls: readonly SolanaNodeUrls[];
  /** What each of them must be; default: they are not asked. */
  readonly identity?: NetworkIdentity;
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
  -32006, // TRANSACTION_PRECOMPILE_VERIFICATION_FAILURE
  -32600, // invalid request
  -32602, // invalid params
]);

const isRefusal = (error: unknown): boolean => error instanceof RpcError && REFUSALS.has(error.code);

/** A node does not look up some accounts, or not all that they have. */
const NOT_LOOKED_UP: ReadonlySet<number> = new Set([
  -32010, // KEY_EXCLUDED_FROM_SECONDARY_INDEX
  -32012, // SCAN_ERROR
]);

/** Anybody can ask for such an account, or for one that has too much; another node may answer. */
const isOfAccount = (error: unknown): boolean =>
  error instanceof ResponseTooLarge || (error instanceof RpcError && NOT_LOOKED_UP.has(error.code));

/** Several nodes of one network as one. */
export function createSolanaClient(options: SolanaClientOptions): SolanaClient & VerifiedSources {
  const { urls, identity, logger, timeoutMs = 10_000, maxConcurrent = 32, signal } = options;
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
  const nodes = urls.map(({ url }): SolanaNode & { readonly verifier: SourceVerifier } => {
    const rpc: SolanaNode['rpc'] = (method, params, { parse, maxBytes } = {}) =>
      callRpc(url, { method, params }, { ...posting, maxBytes }, parse);
    const connection = new Connection(url, {
      commitment: 'confirmed',
      fetch,
      httpAgent: false,
      disableRetryOnRateLimit: true,
    });
    const batch = createBatches(
      call => callRpc(url, call, posting),
      calls => callRpcBatch(url, calls, posting),
    );
    return { url, connection, rpc, batch, verifier: identity ? verifierOf(url, rpc, identity) : UNVERIFIED };
  });
  const outages = createOutageLog(logger, 'solana node', 'url');
  const failover = createFailover({
    ...options,
    endpoints: nodes,
    maxConcurrent,
    isRefusal,
    mayBeOfCall: isOfAccount,
    pauseMs: error => (error instanceof HttpError ? error.retryAfterMs : null),
    onFailure: ({ url }, error) => outages.failed(redactedUrl(url), error),
    onAnswer: ({ url }, began) => outages.answered(redactedUrl(url), began),
  });
  const verify = ({ verifier }: (typeof nodes)[number]): Promise<void> =>
    // What is wrong is known to the identity; a node that does not answer is asked before its next call.
    verifier.verify().catch(() => undefined);
  const subscribed = nodes.filter((_, index) => urls[index]!.ws !== undefined);
  const slots = subscribeToSlots(
    urls.flatMap(({ ws }) => ws ?? []),
    { logger, signal, onConnected: index => void verify(subscribed[index]!) },
  );

  const ask: SolanaClient['withFailover'] = read =>
    failover.run(node => node.verifier.verified(() => withoutTexts(read(node))));

  return {
    ...solanaCalls(ask),
    withFailover: ask,
    hint: read => failover.run(node => node.verifier.unproven(() => withoutTexts(read(node)))),
    verifySources: async () => void (await Promise.all(nodes.map(verify))),
    unreadableSources: () => unreadable(nodes),
    useNextNode: failover.useNext,
    nodeCount: nodes.length,
    waitForSlot: timeoutMs => slots.next(timeoutMs),
  };
}

function verifierOf(url: string, rpc: SolanaNode['rpc'], { check }: NetworkIdentity): SourceVerifier {
  return createSourceVerifier({
    ask: async () => Genesis.parse(await rpc('getGenesisHash', [])),
    check: found => check(url, found),
    isRefusal,
  });
}

/** 32 bytes in base58. */
const Genesis = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
