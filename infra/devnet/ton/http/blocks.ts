import { Router } from 'express';
import { formatTonAddress } from '../../../../contracts/account/address';
import { type Block, masterchainId, shardId } from '../chain/block';
import type { Chain } from '../chain/chain';
import { CONFIG_ADDRESS } from '../chain/config';
import { GLOBAL_BALANCE } from '../chain/genesis';
import type { Ledger, TransactionRef } from '../chain/ledger';
import { holds } from '../chain/shards';
import { type AnswerCache, type Answer, NO_BLOCK, answering, immutable } from './answer';
import { configIds, uint32 } from './parameters';

/** Masterchain block by seqno; seqno 0, the zero state, is not a block. */
export function blockNumbered(ledger: Ledger, seqno: number): Block | null {
  return seqno === 0 ? null : ledger.block(seqno);
}

const isMasterchain = ({ account }: TransactionRef): boolean => account.startsWith('-1:');

const transactionJson = ({ account, lt, hash }: TransactionRef): object => ({
  account: formatTonAddress(account, 'mainnet'),
  hash: hash.toString('base64'),
  lt: lt.toString(),
});

function blockAnswer(ledger: Ledger, block: Block | null): Answer {
  if (!block) return NO_BLOCK;
  const transactions = ledger.transactionsOf(block.seqno);
  const shards = block.shards.map(part => ({
    ...shardId(block, part),
    transactions: part.unlisted
      ? []
      : transactions
          .filter(transaction => !isMasterchain(transaction) && holds(part.shard, transaction.account))
          .map(transactionJson),
  }));
  const masterchain = {
    ...masterchainId(block),
    transactions: transactions.filter(isMasterchain).map(transactionJson),
  };
  return immutable({ exist: true, block: { shards: [masterchain, ...shards] } });
}

function latest({ tip, zeroState }: Chain): object {
  const block = tip();
  const { rootHash, fileHash } = masterchainId(zeroState);
  return {
    last: masterchainId(block),
    init: { rootHash, fileHash },
    stateRootHash: block.stateHash.toString('base64'),
    now: block.utime,
  };
}

export function blockRoutes(chain: Chain, cache: AnswerCache): Router {
  const { ledger, config } = chain;
  const router = Router();

  router.get('/block/latest', (_request, response) => {
    response.set('cache-control', 'public, max-age=1').json(latest(chain));
  });

  router.get(
    '/block/utime/:utime',
    answering<{ utime: string }>(cache, parameters => {
      const utime = uint32('utime', parameters.utime);
      // The last second may get more blocks.
      if (utime >= chain.tip().utime) {
        const block = utime > chain.tip().utime ? null : chain.tip();
        return { ...blockAnswer(ledger, block), immutable: false };
      }
      const block = ledger.blockAt(utime);
      return blockAnswer(ledger, block?.seqno === 0 ? null : block);
    }),
  );

  router.get(
    '/block/:seqno',
    answering<{ seqno: string }>(cache, ({ seqno }) =>
      blockAnswer(ledger, blockNumbered(ledger, uint32('seqno', seqno))),
    ),
  );

  router.get(
    '/block/:seqno/config{/:ids}',
    answering<{ seqno: string; ids?: string }>(cache, parameters => {
      const ids = configIds(parameters.ids);
      const block = blockNumbered(ledger, uint32('seqno', parameters.seqno));
      if (!block) return NO_BLOCK;
      const current = config.at(block.utime);
      return immutable({
        exist: true,
        config: {
          cell: ids ? current.subset(ids) : current.boc,
          address: CONFIG_ADDRESS,
          globalBalance: { coins: GLOBAL_BALANCE },
        },
      });
    }),
  );

  return router;
}
