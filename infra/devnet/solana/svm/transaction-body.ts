import { base58 } from './base58';
import { isMemoProgram } from './programs';
import type { Message, WireTransaction } from './wire';

/** The `transaction` of the RPC's `json` encoding. */
export function transactionJson({ signatures, message }: WireTransaction, keys: readonly string[]): string {
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
}

/** The memos of a transaction as the signature list shows them: `[bytes] text`, several joined by `; `. */
export function memoOf({ instructions, keys }: Message): string | null {
  const memos = instructions
    .filter(({ programIdIndex }) => isMemoProgram(keys[programIdIndex]!))
    .map(({ data }) => `[${data.length}] ${data.toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ').replaceAll('\0', '');
}
