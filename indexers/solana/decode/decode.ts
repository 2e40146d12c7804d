import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import type { JsonObject } from '../../../contracts/json/json';
import { accountKeys, type RawTransaction } from '../raw';
import { accountChanges, balanceChanges } from './balance-changes';
import { effectsOf } from './effects';
import { flattenInstructions, instructionTree } from './instructions';
import { mintsByAccount } from './mints';
import { nativeMovements } from './native-transfers';
import { summary, UNKNOWN } from './summary';
import { tokenAccounts } from './token-accounts';
import { tokenTransfers } from './token-transfers';

/** Raise it when the decoded form changes: messages carry it. */
export const DECODER_VERSION = 1;

/**
 * Decodes a transaction for wallets. What it moved is derived from the node's balances before and after it, so that nothing
 * is lost of programs that are not known; instructions of known programs name the kind, and pair sender with receiver. A
 * failed one moved nothing but its fee: its instructions are listed, its transfers are empty.
 * @throws Error when `meta` is missing, an index is out of range or a field is of another type.
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
  if (typeof signature !== 'string' || feePayer === undefined)
    throw new Error('transaction without signature or payer');
  if (!keys.every(key => typeof key === 'string')) throw new Error('account that is no address');
  if (keys.length !== meta.preBalances.length || keys.length !== meta.postBalances.length)
    throw new Error(`${keys.length} accounts, ${meta.preBalances.length} balances`);

  const failed = meta.err !== null && meta.err !== undefined;
  const instructions = flattenInstructions(raw, keys);
  const changes = balanceChanges(meta, keys);
  const effects = failed ? [] : effectsOf(instructions);
  const known = tokenAccounts(effects, changes.tokens);
  const native = failed ? [] : nativeMovements(meta, keys, changes.lamports, effects, known);
  const tokens = failed ? [] : tokenTransfers(effects, known, changes.tokens);
  return {
    ...(failed ? UNKNOWN : summary({ feePayer, instructions, effects, native, tokens, known })),
    feePayer,
    signature,
    fee: meta.fee,
    slot,
    timestamp: blockTime ?? 0,
    tokenTransfers: tokens,
    nativeTransfers: native.map(({ from, to, amount }) => ({
      fromUserAccount: from,
      toUserAccount: to,
      amount: Number(amount),
    })),
    accountData: accountChanges(keys, changes),
    transactionError: failed ? errorText(meta.err) : null,
    instructions: instructionTree(instructions),
  };
}

const errorText = (error: unknown): string => (typeof error === 'string' ? error : JSON.stringify(error));

/** The decoder for projections, which read raw transactions from the log. */
export const solanaDecoder = {
  version: DECODER_VERSION,
  decode: (raw: JsonObject, slot: number, blockTime: number | null): EnhancedTransaction =>
    decodeTransaction(raw as unknown as RawTransaction, slot, blockTime),
  mints: (raw: JsonObject, account: string): readonly string[] =>
    mintsByAccount(raw as unknown as RawTransaction).get(account) ?? [],
};
