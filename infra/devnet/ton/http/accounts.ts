import { Router } from 'express';
import { type Block, idOfBlockWith, masterchainId } from '../chain/block';
import type { Chain } from '../chain/chain';
import type { Ledger } from '../chain/ledger';
import { accountJson, readShardAccount } from './account-json';
import { type AnswerCache, BadRequest, NO_BLOCK, answering, immutable } from './answer';
import { blockNumbered } from './blocks';
import { joinBags } from './boc';
import { address, hash, logicalTime, uint32 } from './parameters';

interface AtBlock {
  readonly seqno: string;
  readonly address: string;
}

/** Transactions in one page of history. */
const PAGE = 20;

const locate = (ledger: Ledger, at: AtBlock): { raw: string; block: Block | null } => {
  const raw = address(at.address);
  return { raw, block: blockNumbered(ledger, uint32('seqno', at.seqno)) };
};

export function accountRoutes({ ledger }: Chain, cache: AnswerCache): Router {
  const router = Router();

  router.get(
    '/block/:seqno/:address',
    answering<AtBlock>(cache, at => {
      const { raw, block } = locate(ledger, at);
      if (!block) return NO_BLOCK;
      const account = readShardAccount(ledger.account(raw, block.seqno));
      return immutable({ account: accountJson(account, 'full'), block: masterchainId(block) });
    }),
  );

  router.get(
    '/block/:seqno/:address/lite',
    answering<AtBlock>(cache, at => {
      const { raw, block } = locate(ledger, at);
      if (!block) return NO_BLOCK;
      const account = readShardAccount(ledger.account(raw, block.seqno));
      return immutable({ account: accountJson(account, 'lite') });
    }),
  );

  router.get(
    '/block/:seqno/:address/changed/:lt',
    answering<AtBlock & { lt: string }>(cache, at => {
      const { raw, block } = locate(ledger, at);
      const since = BigInt(logicalTime(at.lt));
      if (!block) return NO_BLOCK;
      const lt = readShardAccount(ledger.account(raw, block.seqno))?.lastTransactionLt ?? 0n;
      // The real server reports an account without transactions as changed, whatever it is compared with.
      return immutable({ changed: lt === 0n || lt !== since, block: masterchainId(block) });
    }),
  );

  router.get(
    '/account/:address/tx/:lt/:hash',
    answering<{ address: string; lt: string; hash: string }>(cache, parameters => {
      const raw = address(parameters.address);
      const lt = logicalTime(parameters.lt);
      const first = hash(parameters.hash);
      const page = ledger.history(raw, lt, PAGE);
      if (page[0]?.lt !== lt || !page[0].hash.equals(first)) {
        throw new BadRequest('the account has no transaction with this lt and hash', 404);
      }
      return immutable({
        blocks: page.map(({ block }) => idOfBlockWith(block, raw)),
        boc: joinBags(page.map(({ boc }) => boc)).toString('base64'),
      });
    }),
  );

  return router;
}
