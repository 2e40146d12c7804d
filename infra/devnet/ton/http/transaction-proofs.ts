import { Router } from 'express';
import type { Cell } from '@ton/core';
import { proveInMasterchain } from '../../../../contracts/chain/ton-masterchain-proof';
import { proveTonTransaction } from '../../../../contracts/chain/ton-transaction-proof';
import { TON_GLOBAL_IDS } from '../../../../contracts/network/network';
import { type Block, type BlockId, idOfBlockWith, masterchainId } from '../chain/block';
import { storedBlocks } from '../chain/block-cells/stored-block';
import type { Chain } from '../chain/chain';
import { type AnswerCache, BadRequest, answering, immutable } from './answer';
import { address, hash, logicalTime } from './parameters';

/**
 * Merkle proofs that blocks have transactions, and that blocks of the masterchain stand for these, which v4 servers do not serve: of
 * real networks, a lite server has the cells of blocks.
 */
export function transactionProofRoutes({ ledger, network }: Chain, cache: AnswerCache): Router {
  const router = Router();

  router.get(
    '/account/:address/tx/:lt/:hash/proof',
    answering<{ address: string; lt: string; hash: string }>(cache, parameters => {
      const account = address(parameters.address);
      const lt = logicalTime(parameters.lt);
      const wanted = hash(parameters.hash);
      const [found] = ledger.history(account, lt, 1);
      if (found?.lt !== lt || !found.hash.equals(wanted)) {
        throw new BadRequest('the account has no transaction with this lt and hash', 404);
      }
      const block = idOfBlockWith(found.block, account);
      const cells = storedBlocks(ledger, TON_GLOBAL_IDS[network], found.block.seqno);
      const whole = cells.get(block.rootHash);
      const proof = whole && proveTonTransaction(whole, { account, lt: BigInt(lt) });
      if (!proof) throw new BadRequest('an earlier version made the block, without cells', 404);
      const masterchain = masterchainJson(found.block, cells, account, block);
      return immutable({ block, proof: base64(proof), masterchain });
    }),
  );

  return router;
}

const base64 = (cell: Cell): string => cell.toBoc().toString('base64');

/** Null for a transaction of the masterchain itself. */
function masterchainJson(
  stored: Block,
  cells: ReadonlyMap<string, Cell>,
  account: string,
  { workchain, rootHash }: BlockId,
): object | null {
  if (workchain === -1) return null;
  const block = masterchainId(stored);
  const proof = proveInMasterchain(
    cells.get(block.rootHash)!,
    of => cells.get(of.toString('base64')) ?? null,
    { account, rootHash: Buffer.from(rootHash, 'base64') },
  )!;
  return { block, proof: base64(proof.masterchain), previous: proof.previous.map(base64) };
}
