import { Address, Cell, getMethodId, parseTuple } from '@ton/core';
import { Router } from 'express';
import { idOfBlockWith, masterchainId } from '../chain/block';
import type { Chain } from '../chain/chain';
import { NOT_RUN, type Tvm } from '../chain/tvm';
import { readShardAccount } from './account-json';
import { type AnswerCache, NO_BLOCK, answering, immutable } from './answer';
import { blockNumbered } from './blocks';
import { address, methodArguments, uint32 } from './parameters';
import { stackItemJson } from './stack-json';

interface Call {
  readonly seqno: string;
  readonly address: string;
  readonly method: string;
  readonly args?: string;
}

export function getMethodRoutes({ ledger, config }: Chain, tvm: Tvm, cache: AnswerCache): Router {
  const router = Router();

  router.get(
    '/block/:seqno/:address/run/:method{/:args}',
    answering<Call>(cache, async call => {
      const raw = address(call.address);
      const stack = methodArguments(call.args);
      const block = blockNumbered(ledger, uint32('seqno', call.seqno));
      if (!block) return NO_BLOCK;
      const account = readShardAccount(ledger.account(raw, block.seqno))?.account;
      const state = account?.storage.state;
      const outcome =
        state?.type === 'active' && state.state.code && state.state.data
          ? await tvm.runGetMethod({
              config: config.at(block.utime).boc,
              address: Address.parseRaw(raw),
              code: state.state.code,
              data: state.state.data,
              balance: account!.storage.balance.coins,
              extraCurrency: Object.fromEntries(account!.storage.balance.other ?? []),
              utime: block.utime,
              methodId: getMethodId(call.method),
              stack,
            })
          : { exitCode: NOT_RUN, stack: null };
      const result = outcome.stack ? parseTuple(Cell.fromBase64(outcome.stack)) : [];
      return immutable({
        arguments: stack.map(stackItemJson),
        result: result.map(stackItemJson),
        exitCode: outcome.exitCode,
        resultRaw: outcome.stack,
        block: masterchainId(block),
        shardBlock: idOfBlockWith(block, raw),
      });
    }),
  );

  return router;
}
