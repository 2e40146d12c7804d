import type { StoredAccount } from './account';
import { base58 } from './base58';
import type { Execution } from './engine';
import { type Decimals, tokenBalances } from './token-balances';

export function innerInstructions({ metadata }: Pick<Execution, 'metadata'>): unknown[] {
  return metadata.innerInstructions().flatMap((group, index) =>
    group.length === 0
      ? []
      : [
          {
            index,
            instructions: group.map(inner => {
              const instruction = inner.instruction();
              return {
                accounts: [...instruction.accounts()],
                data: base58(instruction.data()),
                programIdIndex: instruction.programIdIndex(),
                stackHeight: inner.stackHeight(),
              };
            }),
          },
        ],
  );
}

/** The return data of the last program that set it; the engine reports 32 zeros as the program when none did. */
export function returnData({ metadata }: Pick<Execution, 'metadata'>): unknown {
  const returned = metadata.returnData();
  const data = Buffer.from(returned.data());
  return data.length === 0
    ? null
    : { programId: base58(returned.programId()), data: [data.toString('base64'), 'base64'] };
}

const lamports = (account: StoredAccount | null): bigint => account?.lamports ?? 0n;

/**
 * Lamports burnt: the total loss of the transaction's accounts. Programs can only move lamports between them, so this is
 * the base fee plus the priority fee.
 */
export function feeOf({ touched }: Execution): bigint {
  return touched.reduce((sum, { before, after }) => sum + lamports(before) - lamports(after), 0n);
}

/**
 * The `meta` of a transaction as RPC answers carry it.
 * @see https://solana.com/docs/rpc/json-structures
 */
export function metaJson(execution: Execution, decimals: Decimals): string {
  const { err, logs, unitsConsumed, touched, loaded } = execution;
  const returned = returnData(execution);
  return JSON.stringify({
    computeUnitsConsumed: unitsConsumed,
    err,
    fee: Number(feeOf(execution)),
    innerInstructions: innerInstructions(execution),
    loadedAddresses: {
      readonly: loaded.readonly.map(base58),
      writable: loaded.writable.map(base58),
    },
    logMessages: logs,
    postBalances: touched.map(({ after }) => Number(lamports(after))),
    postTokenBalances: tokenBalances(touched, entry => entry.after, decimals),
    preBalances: touched.map(({ before }) => Number(lamports(before))),
    preTokenBalances: tokenBalances(touched, entry => entry.before, decimals),
    rewards: [],
    status: err === null ? { Ok: null } : { Err: err },
    ...(returned === null ? {} : { returnData: returned }),
  });
}
