import { block, latestBlock, type BlockId, type LatestBlock } from '../../../contracts/chain/ton-v4';
import type { NetworkIdentity } from '../../../contracts/network/network-identity';
import type { MasterchainBlock, NodeRead } from '../../../contracts/ports/ton-nodes';
import { createSourceVerifier, type SourceVerifier } from '../../../contracts/source-verifier';
import { HttpError } from '../../../indexers/http-response';
import { zerostateOf } from '../../../indexers/ton/v4-source/zerostate';
import type { BlockSource } from './accepted-blocks';
import type { NodeLog } from './node-log';
import type { V4Node } from './v4-node';

/** A node that answers for its network alone, and for the same blocks as the others. */
export interface NetworkNode extends V4Node, BlockSource {
  readonly verifier: SourceVerifier;
  /** Its newest block, once it is known to be of the network. */
  latest(): Promise<LatestBlock>;
  /** The answer to a read; null where there is none. @throws InvalidAnswer */
  read<Answer>(read: NodeRead<Answer>): Promise<Answer | null>;
}

export interface NetworkNodeDeps {
  readonly identity: NetworkIdentity;
  readonly log: NodeLog;
  /** @throws ForkedNode for a block that is not of the chain that was read before */
  admit(node: NetworkNode, block: MasterchainBlock): Promise<void>;
}

/** The node has answered, but not what was asked: others may, and a later question to it too. */
class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
}

const MASTERCHAIN = -1;

/** Open-source servers answer 500 to what they cannot find or run. */
const OF_THE_REQUEST: ReadonlySet<number> = new Set([400, 404, 413, 422, 500]);

/** Shows nothing about other calls of the node: otherwise callers could make it seem down by what they ask for. */
export function isRefusal(error: unknown): boolean {
  return error instanceof InvalidAnswer || (error instanceof HttpError && OF_THE_REQUEST.has(error.status));
}

export function networkNode(v4: V4Node, { identity, log, admit }: NetworkNodeDeps): NetworkNode {
  const { url } = v4;
  let newest: BlockId | null = null;

  const node: NetworkNode = {
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
      const began = performance.now();
      const answer = latestBlock.parse(await v4.get('/block/latest'));
      await identity.check(url, zerostateOf(answer));
      await admit(node, answer.last);
      log.answered(node, began);
      return answer;
    },
    async rootHash(seqno) {
      await identity.check(url, zerostateOf(await v4.get('/block/latest')));
      const { data } = block.safeParse(await v4.get(`/block/${seqno}`));
      return data?.block.shards.find(({ workchain }) => workchain === MASTERCHAIN)?.rootHash ?? null;
    },
    async read(read) {
      const call = () => ask(node, read, log);
      const answer = await (read.byHash ? node.verifier.unproven(call) : node.verifier.verified(call));
      const of = answer === null ? null : read.blockOf?.(answer);
      if (of) await admit(node, of);
      return answer;
    },
  };
  return node;
}

async function ask<Answer>(node: V4Node, read: NodeRead<Answer>, log: NodeLog): Promise<Answer | null> {
  const json = await node.get(read.path);
  try {
    return read.parse(json);
  } catch (error) {
    log.misread(node, error);
    throw new InvalidAnswer(`${read.path.split('/')[1]}: not an answer of the API`, { cause: error });
  }
}
