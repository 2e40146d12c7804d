import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import type { JsonObject } from '../../../contracts/json';
import { accountKeys, type RawTransaction } from '../raw';
import { callsOf, nested } from './calls';
import { accountChanges } from './changes';
import { nativeMovement } from './native-transfers';
import { summary } from './summary';
import { tokenAccounts } from './token-accounts';
import { tokenTransfers } from './token-transfers';

/** Raise it whenever a transaction decodes differently: messages carry it, so what an older one made can be told apart. */
export const DECODER = 1;

const FAILED = { type: 'UNKNOWN', source: 'UNKNOWN', description: '' };

/**
 * A transaction in the words of a wallet. A failed one moved nothing but its fee: its instructions are shown, its
 * transfers are empty.
 * @throws Error when the node gave no `meta` or indices that point nowhere.
 */
export function decodeTransaction(
  raw: RawTransaction,
  slot: number,
  blockTime: number | null,
): EnhancedTransaction {
  const { meta, transaction } = raw;
  const keys = accountKeys(raw);
  const [signature] = transaction.signatures;
  const [feePayer] = keys;
  if (!meta) throw new Error('transaction without meta');
  if (signature === undefined || feePayer === undefined)
    throw new Error('transaction without signature or payer');
  if (keys.length !== meta.preBalances.length || keys.length !== meta.postBalances.length)
    throw new Error(`${keys.length} accounts, ${meta.preBalances.length} balances`);

  const failed = meta.err !== null && meta.err !== undefined;
  const calls = callsOf(raw, keys);
  const native = failed ? [] : calls.map(nativeMovement).filter(movement => movement !== null);
  const tokens = failed ? [] : tokenTransfers(calls, tokenAccounts(raw, keys, calls));
  return {
    ...(failed ? FAILED : summary(calls, native, tokens)),
    feePayer,
    signature,
    fee: meta.fee,
    slot,
    timestamp: blockTime ?? 0,
    tokenTransfers: tokens,
    nativeTransfers: native.map(({ from, to, lamports }) => ({
      fromUserAccount: from,
      toUserAccount: to,
      amount: Number(lamports),
    })),
    accountData: accountChanges(raw, keys),
    transactionError: failed ? errorText(meta.err) : null,
    instructions: nested(calls),
  };
}

const errorText = (error: unknown): string => (typeof error === 'string' ? error : JSON.stringify(error));

/** For whoever has only the JSON that messages carry. */
export const solanaDecoder = {
  version: DECODER,
  decode: (raw: JsonObject, slot: number, blockTime: number | null): EnhancedTransaction =>
    decodeTransaction(raw as unknown as RawTransaction, slot, blockTime),
};
