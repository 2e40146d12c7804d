import { Router } from 'express';
import { proveTonTransaction } from '../../../../contracts/chain/ton-transaction-proof';
import { TON_GLOBAL_IDS } from '../../../../contracts/network/network';
import { idOfBlockWith } from '../chain/block';
import { storedBlocks } from '../chain/block-cells/stored-block';
import type { Chain } from '../chain/chain';
import { type AnswerCache, BadRequest, answering, immutable } from './answer';
import { address, hash, logicalTime } from './parameters';

/**
 * Merkle proofs that blocks have transactions, which v4 servers do not serve: of real networks, a lite server has the cells of
 * blocks.
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
      const cells = storedBlocks(ledger, TON_GLOBAL_IDS[network], found.block.seqno).get(block.rootHash);
      const proof = cells && proveTonTransaction(cells, { account, lt: BigInt(lt) });
      if (!proof) throw new BadRequest('an earlier version made the block, without cells', 404);
      return immutable({ block, proof: proof.toBoc().toString('base64') });
    }),
  );

  return router;
}
