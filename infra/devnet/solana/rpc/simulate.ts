import { z } from 'zod';
import { innerInstructions, returnData } from '../svm/transaction-meta';
import { uiAmountsOf } from '../svm/token-balances';
import { headerAt, BLOCKHASH_AGE } from '../chain/unfinalized';
import { parseTransaction, type WireTransaction } from '../svm/wire';
import { accountJson } from './account-json';
import { invalidParams } from './error';
import { method, type Node, withContext } from './method';
import { accountFormat, address, context, orEncoding } from './params';
import { encodedBytes, readWire, wireEncoding } from './wire-param';

const config = z.looseObject({
  ...context.shape,
  encoding: wireEncoding.default('base58'),
  sigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
  innerInstructions: z.boolean().nullish(),
  accounts: z
    .looseObject({ addresses: z.array(address).max(64), encoding: accountFormat.encoding })
    .nullish(),
});
type Config = z.output<typeof config>;

const refused = (err: unknown) => ({ err, logs: [], accounts: null, unitsConsumed: 0, returnData: null });

const simulate = (node: Node, transaction: WireTransaction, given: Config): object => {
  const fault = node.processor.validate(transaction.message);
  if (fault !== null && !(fault === 'BlockhashNotFound' && given.replaceRecentBlockhash))
    return refused(fault);
  const simulation = node.processor.simulate(transaction, given.sigVerify ?? false);
  const { err, logs, unitsConsumed } = simulation;
  const uiAmounts = uiAmountsOf(node.engine);
  const accounts = given.accounts?.addresses.map(key => {
    const account = simulation.after(key);
    return account && accountJson(account, { encoding: given.accounts!.encoding }, uiAmounts);
  });
  return {
    err,
    logs,
    accounts: accounts ?? null,
    unitsConsumed,
    returnData: returnData(simulation),
    ...(given.innerInstructions && { innerInstructions: innerInstructions(simulation) }),
  };
};

/** Runs a transaction against the newest state, for any commitment, without recording it. */
export const simulateTransaction = method([encodedBytes, orEncoding(config)], (node, text, given) => {
  if (given.sigVerify && given.replaceRecentBlockhash)
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  const transaction = readWire(text, given.encoding, parseTransaction);
  const { blockhash, height } = headerAt(node.chain.unfinalized, given.commitment);
  return withContext(node, given, {
    ...simulate(node, transaction, given),
    ...(given.replaceRecentBlockhash && {
      replacementBlockhash: { blockhash, lastValidBlockHeight: height + BLOCKHASH_AGE },
    }),
  });
});
