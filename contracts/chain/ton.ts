import type { Buffer } from 'node:buffer';
import { accountKey, type TonNetwork } from '../network/network';
import { createCompactJson } from './compact-json';
import { TON_DICTIONARY } from './ton-dictionary';
import type { RemovedDocuments } from './removed-documents';
import type { JettonWallets } from './ton-jetton';
import type { TonTrace } from './ton-trace';
import type { TonTransaction, TransactionRef } from './ton-transaction';
import type { KnownContracts } from './ton-verified-contracts';
import { readJson } from '../json/read-json';

const TOPIC = { partitions: 8, cleanup: 'delete' } as const;

/** Transactions of TON accounts, keyed by account. */
export const TON_TRANSACTIONS = { name: 'ton.transactions', ...TOPIC } as const;
/** Transactions that could not be decoded, in their raw form. */
export const TON_DEAD_LETTERS = { name: 'ton.transactions.dead', ...TOPIC } as const;

export const TON_MESSAGE_VERSION = 1;

const compact = createCompactJson(TON_DICTIONARY);

interface OfAccount {
  readonly version: typeof TON_MESSAGE_VERSION;
  readonly network: TonNetwork;
  /** Raw. */
  readonly account: string;
}

/**
 * A transaction that a masterchain block has made final. It may be published more than once; its hash identifies it.
 * The tail publishes those of an account in chain order; a backfill publishes concurrently, newest first.
 */
export interface TonTransactionMessage extends OfAccount, TransactionRef {
  readonly type: 'transaction';
  readonly prev: TransactionRef;
  readonly time: number;
  /** The masterchain block that was being read; null from a backfill, which does not know it. */
  readonly seqno: number | null;
  readonly origin: 'tail' | 'backfill';
  /** Version of the decoder that produced `transaction` from `raw`. */
  readonly decoder: number;
  readonly transaction: TonTransaction;
  /**
   * Every jetton wallet that a message of the transaction names: as its master confirmed it when the transaction was
   * indexed, or null. One that is missing was not asked for, and is not confirmed either.
   */
  readonly jettonWallets: JettonWallets;
  /** The same of NFT items, jetton masters and staking pools; absent when none is confirmed. */
  readonly contracts?: KnownContracts;
  /** Base64 BoC. */
  readonly raw: string;
}

/**
 * Every transaction of the account from `downTo` on (a logical time; `0`: from its first transaction) is on the log. Published
 * again and again while a backfill reads on.
 */
export interface TonBackfilledMessage extends OfAccount {
  readonly type: 'backfilled';
  readonly downTo: string;
  /** The number of the watch of the account for which this is true: transactions after the end of a watch may be missing. */
  readonly watch: number;
}

/**
 * The transaction is not on the chain: it was read from a source of another network, or a fork has taken it back. Its earlier messages
 * are void, and so is the claim that the history of the account is complete. It may be one of another account, in `traces` of this one.
 */
export interface TonRetractedMessage extends OfAccount, TransactionRef {
  readonly type: 'retracted';
  /** Both hashes (base64) of the external message that it was said to have; else none. */
  readonly external: readonly string[];
  /** Transactions of the account in whose traces it was: what they have caused is void too, and read again. Default: none. */
  readonly traces?: readonly TransactionRef[];
}

/**
 * What a transaction of the account caused. Published when the trace is no longer open, and before that when the account
 * itself received something in it. It may be published more than once, by tail and backfill, and know more or less.
 */
export interface TonTraceMessage extends OfAccount, TransactionRef, TonTrace {
  readonly type: 'trace';
  /** Version of the decoder that produced `messages`. */
  readonly decoder: number;
}

export interface TonRemovedMessage extends OfAccount, RemovedDocuments {}

export type TonLogMessage =
  TonTransactionMessage | TonBackfilledMessage | TonTraceMessage | TonRetractedMessage | TonRemovedMessage;

export interface TonDeadLetter extends OfAccount, TransactionRef {
  readonly type: 'dead';
  readonly seqno: number | null;
  readonly decoder: number;
  readonly reason: string;
  /** Base64 BoC. */
  readonly raw: string;
}

/** The key of a message: that of its account. */
export function tonMessageKey({ network, account }: { network: TonNetwork; account: string }): string {
  return accountKey({ chain: 'ton', network, address: account });
}

/** The value of a record of `ton.transactions` or `ton.transactions.dead`, as `decodeTonMessage` and `decodeTonDeadLetter` read it. */
export function encodeTonMessage(message: TonLogMessage | TonDeadLetter): Buffer {
  return compact.encode(JSON.stringify(message));
}

/** @throws Error when the bytes are of a version that this program does not know. */
export function decodeTonMessage(value: Buffer): TonLogMessage {
  return decode(value, ['transaction', 'backfilled', 'trace', 'retracted', 'removed']);
}

/** @throws Error when the bytes are of a version that this program does not know. */
export function decodeTonDeadLetter(value: Buffer): TonDeadLetter {
  return decode(value, ['dead']);
}

function decode<M extends { type: string; version: number }>(value: Buffer, types: readonly M['type'][]): M {
  const message = readJson(compact.decode(value)) as M;
  if (message.version !== TON_MESSAGE_VERSION || !types.includes(message.type))
    throw new Error(`unknown message ${message.type} of version ${message.version} on the TON topics`);
  return message;
}
