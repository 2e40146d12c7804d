import { getMethodId, type Cell } from '@ton/core';
import { Router } from 'express';
import { idOfBlockWith, masterchainId } from '../chain/block';
import type { Chain } from '../chain/chain';
import { NO_RESULT, type GetMethods, type MethodCall, type MethodResult } from '../get-method-thread';
import { readShardAccount } from './account-json';
import { type AnswerCache, BadRequest, NO_BLOCK, answering, immutable } from './answer';
import { blockNumbered } from './blocks';
import { address, methodArguments, uint32 } from './parameters';

interface Call {
  readonly seqno: string;
  readonly address: string;
  readonly method: string;
  readonly args?: string;
}

const bocOf = (cell: Cell | null | undefined): string | null => cell?.toBoc().toString('base64') ?? null;

export function getMethodRoutes(
  { ledger, config }: Chain,
  getMethods: GetMethods,
  cache: AnswerCache,
): Router {
  const router = Router();
  const run = async (call: MethodCall): Promise<MethodResult> => {
    if (call.code === null && call.args === null) return NO_RESULT;
    const result = await getMethods.run(call);
    if (!result) throw new BadRequest('args must be a tuple, serialized as a bag of cells in base64');
    return result;
  };

  router.get(
    '/block/:seqno/:address/run/:method{/:args}',
    answering<Call>(cache, async call => {
      const raw = address(call.address);
      const args = methodArguments(call.args);
      const block = blockNumbered(ledger, uint32('seqno', call.seqno));
      if (!block) return NO_BLOCK;
      const account = readShardAccount(ledger.account(raw, block.seqno))?.account;
      const state = account?.storage.state;
      const contract = state?.type === 'active' ? state.state : null;
      const outcome = await run({
        config: config.at(block.utime).boc,
        address: raw,
        code: bocOf(contract?.code),
        data: bocOf(contract?.data),
        balance: account?.storage.balance.coins ?? 0n,
        extraCurrency: Object.fromEntries(account?.storage.balance.other ?? []),
        utime: block.utime,
        methodId: getMethodId(call.method),
        args,
      });
      return immutable({
        arguments: outcome.arguments,
        result: outcome.items,
        exitCode: outcome.exitCode,
        resultRaw: outcome.stack,
        block: masterchainId(block),
        shardBlock: idOfBlockWith(block, raw),
      });
    }),
  );

  return router;
}
