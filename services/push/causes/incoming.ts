import {
  decodeSolanaMessage,
  SOLANA_TRANSACTIONS,
  type TransactionSeen,
} from '../../../contracts/chain/solana';
import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import { decodeTonMessage, type TonLogMessage } from '../../../contracts/chain/ton';
import { hasReturned } from '../../../contracts/chain/ton-outcome';
import { isExcess } from '../../../contracts/chain/ton-verified-contracts';
import type { JsonObject } from '../../../contracts/json/json';
import type { LogMessage } from '../../../contracts/ports/log';
import type { PushCause } from '../../../contracts/push/push-cause';

/** Reads a raw transaction of Solana. */
export type DecodeSolana = (raw: JsonObject, slot: number, blockTime: number | null) => EnhancedTransaction;

/** What a record says of an account that has received something; null when it says anything else. */
export function incomingTransaction(
  { topic, value }: Pick<LogMessage, 'topic' | 'value'>,
  decode: DecodeSolana,
): PushCause | null {
  if (topic !== SOLANA_TRANSACTIONS.name) return incomingOnTon(decodeTonMessage(value));
  const record = decodeSolanaMessage(value);
  return record.type === 'transaction' ? incomingOnSolana(record, decode) : null;
}

/** Times of chains are whole seconds, rounded down: it happened before the end of its second. */
const endOfSecond = (seconds: number): string => new Date(seconds * 1_000 + 999).toISOString();

/**
 * Coins, jettons (by the notification of TEP-74) or an NFT from another account, also coins that it refused. What remains of a
 * fee is no such thing.
 */
function incomingOnTon(record: TonLogMessage): PushCause | null {
  if (record.type !== 'transaction') return null;
  const { network, account: address, hash, lt, time, transaction } = record;
  const { inMessage, direction } = transaction;
  if (direction !== 'in' || hasReturned(transaction) || inMessage?.info.type !== 'internal') return null;
  const { jettonWallets, contracts = {} } = record;
  if (inMessage.info.src === address || isExcess(inMessage, { jettonWallets, contracts })) return null;
  const account = { chain: 'ton', network, address } as const;
  return { kind: 'incoming_transaction', account, transaction: hash, lt, at: endOfSecond(time) };
}

/**
 * SOL or tokens that another account has paid the fee for. A supermajority has voted for the block: such a one was never
 * abandoned on the main network. If it is, its notification stays, and the application finds no such transaction; included
 * again in another block it is not notified again.
 */
function incomingOnSolana(record: TransactionSeen, decode: DecodeSolana): PushCause | null {
  const { network, account: address, signature, slot, blockTime, raw } = record;
  const { transactionError, feePayer, accountData } = decode(raw, slot, blockTime);
  if (transactionError !== null || feePayer === address || blockTime === null) return null;
  const hasReceived = accountData.some(
    ({ account, nativeBalanceChange, tokenBalanceChanges }) =>
      (account === address && nativeBalanceChange > 0) ||
      tokenBalanceChanges.some(
        ({ userAccount, rawTokenAmount }) =>
          userAccount === address && BigInt(rawTokenAmount.tokenAmount) > 0n,
      ),
  );
  if (!hasReceived) return null;
  const account = { chain: 'solana', network, address } as const;
  return {
    kind: 'incoming_transaction',
    account,
    transaction: signature,
    lt: null,
    at: endOfSecond(blockTime),
  };
}
