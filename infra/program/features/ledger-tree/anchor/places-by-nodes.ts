import { noBlock, block, transactionPage, type BlockId } from '../../../../../contracts/chain/ton-v4';
import type { Anchor } from '../../../../../contracts/ledger-tree/anchor';
import type { TonBlockId } from '../../../../../contracts/ports/ton-blocks';
import type { TonNodes } from '../../../../../contracts/ports/ton-nodes';
import type { PlaceReads } from '../../../../../services/ledger-tree/anchor/place-proof';
import { z } from 'zod';

const blockAnswer = z.union([noBlock, block]);
const MASTERCHAIN = -1;

/** What the nodes of a network say of places, by the HTTP API v4. */
export function placesByNodes(
  nodes: Pick<TonNodes, 'read'>,
): Pick<PlaceReads, 'blockWith' | 'masterchainBlock'> {
  return {
    async blockWith({ account, lt, hash }: Anchor['transaction']) {
      const urlSafe = Buffer.from(hash, 'hex').toString('base64url');
      const found = await nodes.read({
        path: `/account/${account}/tx/${lt}/${urlSafe}`,
        parse: json => transactionPage.parse(json).blocks[0] ?? null,
        byHash: true,
      });
      if (!found) throw new Error('no node says which block has the transaction');
      return blockIdOf(found);
    },
    masterchainBlock: seqno =>
      nodes.read({
        path: `/block/${seqno}`,
        parse(json) {
          const answer = blockAnswer.parse(json);
          if (!answer.exist) return null;
          const own = answer.block.shards.find(
            each => each.workchain === MASTERCHAIN && each.seqno === seqno,
          );
          return own ? blockIdOf(own) : null;
        },
      }),
  };
}

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

function blockIdOf({ workchain, shard, seqno, rootHash, fileHash }: BlockId): TonBlockId {
  const digits = BigInt.asUintN(64, BigInt(shard)).toString(16).padStart(16, '0');
  return { workchain, shard: digits, seqno, rootHash: hex(rootHash), fileHash: hex(fileHash) };
}
