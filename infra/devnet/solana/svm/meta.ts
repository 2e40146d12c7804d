import { base58 } from './base58';
import type { Engine, Execution, TouchedAccount } from './engine';
import type { StoredAccount } from './account';
import { isMemoProgram } from './programs';
import { readHolding, readMint, uiTokenAmount } from './token-state';
import type { Message, WireTransaction } from './wire';

type Decimals = (mint: string) => number | null;

interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: unknown;
}

/** Decimals of mints; they never change while a mint exists. */
export const decimalsOf =
  (engine: Engine): Decimals =>
  mint => {
    const account = engine.account(mint);
    return (account && readMint(account)?.decimals) ?? null;
  };

const tokenBalances = (
  touched: readonly TouchedAccount[],
  side: (entry: TouchedAccount) => StoredAccount | null,
  decimals: Decimals,
): TokenBalance[] =>
  touched.flatMap((entry, accountIndex) => {
    const account = side(entry);
    const holding = account && readHolding(account);
    if (!holding) return [];
    const mint = base58(holding.mint);
    const places = decimals(mint);
    if (places === null) return [];
    const amount = uiTokenAmount(holding.amount, places);
    return [
      {
        accountIndex,
        mint,
        owner: base58(holding.owner),
        programId: base58(account.owner),
        // The ledger of a validator has no zero here; the accounts it reads live do.
        uiTokenAmount: { ...amount, uiAmount: holding.amount === 0n ? null : amount.uiAmount },
      },
    ];
  });

export const innerInstructions = ({ metadata }: Pick<Execution, 'metadata'>): unknown[] =>
  metadata.innerInstructions().flatMap((group, index) =>
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

/** What the last program to set it returned; the engine gives 32 zeros as the program when none did. */
export const returnData = ({ metadata }: Pick<Execution, 'metadata'>): unknown => {
  const returned = metadata.returnData();
  const data = Buffer.from(returned.data());
  return data.length === 0
    ? null
    : { programId: base58(returned.programId()), data: [data.toString('base64'), 'base64'] };
};

const lamports = (account: StoredAccount | null): bigint => account?.lamports ?? 0n;

/**
 * Lamports burnt: what all accounts of the transaction lost together. Programs can only move lamports between them,
 * so this is the base fee and the priority fee.
 */
export const feeOf = ({ touched }: Execution): bigint =>
  touched.reduce((sum, { before, after }) => sum + lamports(before) - lamports(after), 0n);

/**
 * The `meta` of a transaction as RPC answers carry it.
 * @see https://solana.com/docs/rpc/json-structures
 */
export const metaJson = (execution: Execution, decimals: Decimals): string => {
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
};

/** The `transaction` of the RPC's `json` encoding. */
export const transactionJson = (
  { signatures, message }: WireTransaction,
  keys: readonly string[],
): string => {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = message;
  return JSON.stringify({
    message: {
      accountKeys: keys.slice(0, message.keys.length),
      ...(message.version === 0 && {
        addressTableLookups: message.lookups.map(({ table, writable, readonly }) => ({
          accountKey: base58(table),
          readonlyIndexes: readonly,
          writableIndexes: writable,
        })),
      }),
      header: {
        numReadonlySignedAccounts: readonlySigned,
        numReadonlyUnsignedAccounts: readonlyUnsigned,
        numRequiredSignatures: requiredSignatures,
      },
      instructions: message.instructions.map(({ programIdIndex, accounts, data }) => ({
        accounts,
        data: base58(data),
        programIdIndex,
        stackHeight: 1,
      })),
      recentBlockhash: message.blockhash,
    },
    signatures: signatures.map(base58),
  });
};

/** The memos of a transaction as the signature list shows them: `[bytes] text`, several joined by `; `. */
export const memoOf = ({ instructions, keys }: Message): string | null => {
  const memos = instructions
    .filter(({ programIdIndex }) => isMemoProgram(keys[programIdIndex]!))
    .map(({ data }) => `[${data.length}] ${data.toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ').replaceAll('\0', '');
};
