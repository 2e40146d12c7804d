import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { Agent } from 'undici';
import { sendStatus, type LatestBlock } from '../../../contracts/chain/ton-v4';
import type { NetworkIdentity } from '../../../contracts/network/network-identity';
import {
  MessageRefused,
  ReadRefused,
  type NodeRead,
  type TonNodes,
} from '../../../contracts/ports/ton-nodes';
import { sleep } from '../../../contracts/retry/retry';
import { unreadable } from '../../../contracts/source-verifier';
import { redactedUrl } from '../../../contracts/url/redacted-url';
import { HttpError, ResponseTooLarge } from '../../../indexers/http-response';
import { subscribeToBlocks } from '../../../indexers/ton/v4-source/block-notifications';
import { createFailover, type Failover } from '../failover';
import { createAcceptedBlocks, ForkedNode } from './accepted-blocks';
import { isRefusal, networkNode, type NetworkNode } from './network-node';
import { createNodeLog } from './node-log';
import { openV4Node } from './v4-node';

export interface TonNodesOptions {
  /** Base URLs of servers of the HTTP API v4, all of one network. */
  readonly urls: readonly string[];
  readonly identity: NetworkIdentity;
  readonly logger: Logger;
  /** For one call; default 2,000: `TonClient4` waits 5 seconds in all. */
  readonly timeoutMs?: number;
  /** Maximum attempts of a read, each on the next node; default 3. */
  readonly attempts?: number;
  /** Before the second attempt, growing from there; default 100. */
  readonly backoffMs?: number;
  /** Reads at a time; default 64. */
  readonly maxConcurrent?: number;
  /** How long the newest block of slower nodes is waited for after the first has answered; default 200. */
  readonly slowestMs?: number;
  readonly signal: AbortSignal;
}

/** Several servers of one network as one. */
export function createTonNodes(options: TonNodesOptions): TonNodes {
  const { urls, identity, logger, timeoutMs = 2_000, slowestMs = 200, signal } = options;
  const closing = new AbortController();
  const ending = AbortSignal.any([signal, closing.signal]);
  setMaxListeners(0, ending);
  const dispatcher = new Agent({ connect: { timeout: timeoutMs } });
  const onReplaced = new Set<() => void>();
  const log = createNodeLog(logger);
  const forks = new Map<NetworkNode, string>();
  const nodes: readonly NetworkNode[] = urls.map(url =>
    networkNode(openV4Node({ url, dispatcher, timeoutMs, signal: ending }), {
      identity,
      log,
      async admit(node, block) {
        try {
          await accepted.admit(node, block);
          forks.delete(node);
        } catch (error) {
          if (error instanceof ForkedNode) forks.set(node, error.message);
          throw error;
        }
      },
    }),
  );
  const accepted = createAcceptedBlocks(nodes, () => {
    logger.warn('the nodes have replaced blocks that were read before');
    for (const listener of onReplaced) listener();
  });
  const failed = (node: NetworkNode, error: unknown): void => {
    accepted.forget(node);
    log.failed(node, error);
  };
  const failover = createFailover({
    attempts: 3,
    backoffMs: 100,
    maxConcurrent: 64,
    ...options,
    endpoints: nodes,
    isRefusal,
    mayBeOfCall: error => error instanceof ResponseTooLarge,
    pauseMs: error => (error instanceof HttpError ? error.retryAfterMs : null),
    onFailure: failed,
  });

  return {
    latest: () => newestOf(nodes, failed, () => sleep(slowestMs, ending)),
    read: read => readFromAny(nodes.length, failover, read),
    send: boc => sendToAll(nodes, boc),
    faults: () => [...forks].map(([{ url }, reason]) => `${redactedUrl(url)} is not used: ${reason}`),
    onReplaced: listener => void onReplaced.add(listener),
    notifications: () =>
      subscribeToBlocks(urls, index => void nodes[index]!.verifier.verify().catch(() => undefined)),
    verifySources: async () =>
      void (await Promise.all(nodes.map(({ verifier }) => verifier.verify().catch(() => undefined)))),
    unreadableSources: () => unreadable(nodes),
    async close() {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}

/** The newest block of the nodes that answer. @param slowest resolves when slower nodes are no longer waited for */
async function newestOf(
  nodes: readonly NetworkNode[],
  onFailure: (node: NetworkNode, error: unknown) => void,
  slowest: () => Promise<unknown>,
): Promise<LatestBlock> {
  const requests = nodes.map(node =>
    node.latest().catch((error: unknown) => {
      onFailure(node, error);
      throw error;
    }),
  );
  const answers: LatestBlock[] = [];
  for (const each of requests) each.then(answer => answers.push(answer)).catch(() => undefined);
  await Promise.any(requests).catch((error: AggregateError) => {
    throw error.errors[0];
  });
  if (nodes.length > 1) await Promise.race([Promise.allSettled(requests), slowest()]);
  return answers.reduce((best, each) => (each.last.seqno > best.last.seqno ? each : best));
}

/** What one node does not have, or refuses, is asked of each. @returns null when it is absent */
async function readFromAny<Answer>(
  count: number,
  failover: Failover<NetworkNode>,
  read: NodeRead<Answer>,
): Promise<Answer | null> {
  let refusal: unknown = null;
  let isAbsent = false;
  for (let tried = 0; tried < count; tried++) {
    try {
      const answer = await failover.run(node => node.read(read));
      if (answer !== null) return answer;
      isAbsent = true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      isAbsent ||= error instanceof HttpError && (read.byHash === true || error.status === 404);
      refusal ??= error;
    }
    failover.useNext();
  }
  if (isAbsent) return null;
  throw refusal instanceof HttpError ? new ReadRefused(refusal.message) : refusal;
}

/** @returns the status that the first node to accept it has answered with @throws MessageRefused */
async function sendToAll(nodes: readonly NetworkNode[], boc: Buffer): Promise<number> {
  const body = { boc: boc.toString('base64') };
  const sent = nodes.map(async ({ verifier, post }) => {
    const answer = await verifier.unproven(() => post('/send', body));
    return sendStatus.parse(answer).status;
  });
  return Promise.any(sent).catch(({ errors }: AggregateError) => {
    const refused = errors.find(isRefusal) as Error | undefined;
    throw refused ? new MessageRefused(refused.message) : errors[0];
  });
}
