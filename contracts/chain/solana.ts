import type { JsonObject } from '../json';
import type { SolanaNetwork } from '../network';
import type { EnhancedTransaction } from './solana-transaction';

/** Transactions of Solana accounts, keyed by account. */
export const SOLANA_TRANSACTIONS = {
  name: 'solana.transactions',
  partitions: 8,
  cleanup: 'delete',
} as const;

/** Transactions that could not be decoded, in their raw form. */
export const SOLANA_DEAD_LETTERS = {
  name: 'solana.transactions.dead',
  partitions: 8,
  cleanup: 'delete',
} as const;

/** `confirmed`: voted for by a supermajority, may still be abandoned. `finalized`: irreversible. */
export type Finality = 'confirmed' | 'finalized';

interface OfAccount {
  readonly network: SolanaNetwork;
  /** Base58. */
  readonly account: string;
}

/** A transaction in a certain block: after a fork the same signature may be in another block. */
interface Inclusion extends OfAccount {
  readonly signature: string;
  readonly slot: number;
  readonly blockhash: string;
  /** Mints of the token accounts through which the account is affected. */
  readonly mints: readonly string[];
}

/** A transaction that mentions the account, or moved tokens that the account owns. */
export interface TransactionSeen extends Inclusion {
  readonly type: 'transaction';
  /** Index in the block, from 0. */
  readonly index: number;
  /** Seconds since the epoch; null when the block has no time. */
  readonly blockTime: number | null;
  readonly finality: Finality;
  readonly origin: 'tail' | 'backfill';
  /** Version of the decoder that produced `decoded`; a newer one can decode `raw` again. */
  readonly decoder: number;
  readonly decoded: EnhancedTransaction;
  /** The account's balance after the transaction in lamports; null when it is affected through its tokens only. */
  readonly balance: string | null;
  /** The transaction with its `meta`, as of JSON-RPC with encoding `json`. */
  readonly raw: JsonObject;
}

/** The inclusion is final now. */
export interface TransactionFinalized extends Inclusion {
  readonly type: 'finalized';
}

/** The block of the inclusion was abandoned: its earlier messages are void. */
export interface TransactionRolledBack extends Inclusion {
  readonly type: 'rolled-back';
}

/**
 * The inclusion is in no block of the network: it was read from a node of another one. Its earlier messages are void, also
 * when it was said to be final, and so is what was published of how far the history of the account reaches.
 */
export interface TransactionRetracted extends Inclusion {
  readonly type: 'retracted';
}

/** History has been published: the slots after `since` up to `slot`. A long one is read in parts, on demand. */
export interface HistoryBackfilled extends OfAccount {
  readonly type: 'backfilled';
  readonly slot: number;
  readonly since: number;
  /** The number of its parts that were read to their end. */
  readonly parts: number;
  /** False when the history goes back further than `since`. */
  readonly complete: boolean;
}

export type SolanaMessage =
  TransactionSeen | TransactionFinalized | TransactionRolledBack | TransactionRetracted | HistoryBackfilled;

export interface SolanaDeadLetter {
  readonly network: SolanaNetwork;
  readonly slot: number;
  readonly blockhash: string;
  readonly index: number;
  readonly reason: string;
  readonly decoder: number;
  readonly raw: unknown;
}

const VERSION = 1;
const COMMA = 0x2c;

export function encodeSolanaMessage(message: SolanaMessage): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, ...message }));
}

/**
 * The messages of one transaction for several accounts: first the fields that differ by account, then the bytes of the
 * rest, which are nearly everything and are encoded once.
 */
export function encodeTransactionSeen(messages: readonly TransactionSeen[]): Buffer[] {
  if (messages.length === 0) return [];
  const { account: _account, balance: _balance, mints: _mints, ...shared } = messages[0]!;
  const rest = Buffer.from(JSON.stringify(shared));
  rest[0] = COMMA; // instead of the opening brace
  return messages.map(({ account, balance, mints }) => {
    const own = JSON.stringify({ v: VERSION, account, balance, mints }).slice(0, -1);
    return Buffer.concat([Buffer.from(own), rest]);
  });
}

/** @throws Error when the bytes are of a version that this program does not know. */
export function decodeSolanaMessage(value: Buffer): SolanaMessage {
  const { v, ...message } = JSON.parse(value.toString()) as SolanaMessage & { v: number };
  if (v !== VERSION) throw new Error(`solana message of unknown version ${v}`);
  return message as SolanaMessage;
}

export function encodeSolanaDeadLetter(deadLetter: SolanaDeadLetter): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, ...deadLetter }));
}
