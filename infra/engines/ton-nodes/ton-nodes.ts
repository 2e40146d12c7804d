import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { Agent } from 'undici';
import {
  block,
  latestBlock,
  sendStatus,
  type BlockId,
  type LatestBlock,
} from '../../../contracts/chain/ton-v4';
import type { NetworkIdentity } from '../../../contracts/network/network-identity';
import {
  MessageRefused,
  ReadRefused,
  type MasterchainBlock,
  type NodeRead,
  type TonNodes,
} from '../../../contracts/ports/ton-nodes';
import { redactedUrl } from '../../../contracts/url/redacted-url';
import { sleep } from '../../../contracts/retry/retry';
import { createSourceVerifier, unreadable, type SourceVerifier } from '../../../contracts/source-verifier';
import { HttpError } from '../../../indexers/http-response';
import { subscribeToBlocks } from '../../../indexers/ton/v4-source/block-notifications';
import { zerostateOf } from '../../../indexers/ton/v4-source/zerostate';
import { createFailover } from '../failover';
import { createAcceptedBlocks, ForkedNode, type BlockSource } from './accepted-blocks';
import { openV4Node, type V4Node } from './v4-node';

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

/** The node has answered, but not what was asked: others may, and a later question to it too. */
class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
}

const MASTERCHAIN = -1;
/** Between two warnings of what a node answers. */
const WARNING_MS = 60_000;

/** Open-source servers answer 500 to what they cannot find or run. */
const OF_THE_REQUEST: ReadonlySet<number> = new Set([400, 404, 413, 422, 500]);

/** Shows nothing about other calls of the node: otherwise callers could make it seem down by what they ask for. */
const isRefusal = (error: unknown): boolean =>
  error instanceof InvalidAnswer || (error instanceof HttpError && OF_THE_REQUEST.has(error.status));

interface Node extends V4Node, BlockSource {
  readonly verifier: SourceVerifier;
  /** Its newest block, once it is known to be of the network. */
  latest(): Promise<LatestBlock>;
}

/** Several servers of one network as one. */
export function createTonNodes(options: TonNodesOptions): TonNodes {
  const { urls, identity, logger, timeoutMs = 2_000, slowestMs = 200, signal } = options;
  const closing = new AbortController();
  const ending = AbortSignal.any([signal, closing.signal]);
  setMaxListeners(0, ending);
  const dispatcher = new Agent({ connect: { timeout: timeoutMs } });
  const onReplaced = new Set<() => void>();
  const nodes: readonly Node[] = urls.map(url =>
    openNode(openV4Node({ url, dispatcher, timeoutMs, signal: ending })),
  );
  const accepted = createAcceptedBlocks(nodes, () => {
    logger.warn('the nodes have replaced blocks that were read before');
    for (const listener of onReplaced) listener();
  });
  const forks = new Map<Node, string>();
  async function admit(node: Node, block: MasterchainBlock): Promise<void> {
    try {
      await accepted.admit(node, block);
      forks.delete(node);
    } catch (error) {
      if (error instanceof ForkedNode) forks.set(node, error.message);
      throw error;
    }
  }
  const failing = new Set<Node>();
  const failed = (node: Node, err: unknown): void => {
    accepted.forget(node);
    if (failing.has(node)) return;
    failing.add(node);
    logger.warn({ url: redactedUrl(node.url), err }, 'ton node failed');
  };
  const silentUntil = new WeakMap<Node, number>();
  const misread = (node: Node, err: unknown): void => {
    if (performance.now() < (silentUntil.get(node) ?? 0)) return;
    silentUntil.set(node, performance.now() + WARNING_MS);
    logger.warn({ url: redactedUrl(node.url), err }, 'ton node sent an answer that does not fit the request');
  };
  const answered = (node: Node): void => {
    if (failing.delete(node)) logger.info({ url: redactedUrl(node.url) }, 'ton node answers again');
  };
  const failover = createFailover({
    attempts: 3,
    backoffMs: 100,
    maxConcurrent: 64,
    ...options,
    endpoints: nodes,
    isRefusal,
    pauseMs: error => (error instanceof HttpError ? error.retryAfterMs : null),
    onFailure: failed,
  });

  function openNode(v4: V4Node): Node {
    const { url } = v4;
    let newest: BlockId | null = null;
    const node: Node = {
      ...v4,
      verifier: createSourceVerifier({
        async ask() {
          const answer = latestBlock.parse(await v4.get('/block/latest'));
          newest = answer.last;
          return zerostateOf(answer);
        },
        async check(found) {
          await identity.check(url, found);
          if (newest) await admit(node, newest);
        },
        isRefusal,
      }),
      async latest() {
        const answer = latestBlock.parse(await v4.get('/block/latest'));
        await identity.check(url, zerostateOf(answer));
        await admit(node, answer.last);
        answered(node);
        return answer;
      },
      async rootHash(seqno) {
        await identity.check(url, zerostateOf(await v4.get('/block/latest')));
        const { data } = block.safeParse(await v4.get(`/block/${seqno}`));
        return data?.block.shards.find(({ workchain }) => workchain === MASTERCHAIN)?.rootHash ?? null;
      },
    };
    return node;
  }

  async function readOf<Answer>(node: Node, read: NodeRead<Answer>): Promise<Answer | null> {
    const call = async (): Promise<Answer | null> => {
      const json = await node.get(read.path);
      try {
        return read.parse(json);
      } catch (error) {
        misread(node, error);
        throw new InvalidAnswer(`${read.path.split('/')[1]}: not an answer of the API`, { cause: error });
      }
    };
    const answer = await (read.byHash ? node.verifier.unproven(call) : node.verifier.verified(call));
    const of = answer === null ? null : read.blockOf?.(answer);
    if (of) await admit(node, of);
    return answer;
  }

  return {
    async latest() {
      const requests = nodes.map(node =>
        node.latest().catch((error: unknown) => {
          failed(node, error);
          throw error;
        }),
      );
      const answers: LatestBlock[] = [];
      for (const each of requests) each.then(answer => answers.push(answer)).catch(() => undefined);
      await Promise.any(requests).catch((error: AggregateError) => {
        throw error.errors[0];
      });
      if (nodes.length > 1) await Promise.race([Promise.allSettled(requests), sleep(slowestMs, ending)]);
      return answers.reduce((best, each) => (each.last.seqno > best.last.seqno ? each : best));
    },

    async read(read) {
      let refusal: unknown = null;
      let isAbsent = false;
      for (let tried = 0; tried < nodes.length; tried++) {
        try {
          const answer = await failover.run(node => readOf(node, read));
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
    },

    async send(boc) {
      const body = { boc: boc.toString('base64') };
      const sent = nodes.map(async ({ verifier, post }) => {
        const answer = await verifier.unproven(() => post('/send', body));
        return sendStatus.parse(answer).status;
      });
      return Promise.any(sent).catch(({ errors }: AggregateError) => {
        const refused = errors.find(isRefusal) as Error | undefined;
        throw refused ? new MessageRefused(refused.message) : errors[0];
      });
    },

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
