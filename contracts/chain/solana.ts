import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { JsonObject } from '../json/json';
import { JsonText } from '../json/json-text';
import type { SolanaNetwork } from '../network/network';
import type { RemovedDocuments } from './removed-documents';
import { readJson } from '../json/read-json';

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
  /** Whether the transaction names the account, so that `getSignaturesForAddress` lists it; else only its tokens are affected. */
  readonly mentioned: boolean;
  /** Seconds since the epoch; null when the block has no time. */
  readonly blockTime: number | null;
  readonly finality: Finality;
  readonly origin: 'tail' | 'backfill';
  /** The account's balance after the transaction in lamports; null when it is affected through its tokens only. */
  readonly balance: string | null;
  /**
   * The transaction with its `meta`, as of JSON-RPC with encoding `json`, without logs. Readers decode it: a newer decoder
   * needs no chain.
   */
  readonly raw: JsonObject;
}

/** What is not the same in the messages of one transaction for several accounts. */
export type AccountFields = Pick<TransactionSeen, 'account' | 'balance' | 'mints' | 'mentioned'>;
export type SharedFields = Omit<TransactionSeen, keyof AccountFields | 'raw'> & {
  readonly raw: JsonText<JsonObject>;
};

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
  /** The number of the watch of the account for which this is true: transactions after the end of a watch may be missing. */
  readonly watch: number;
  readonly slot: number;
  readonly since: number;
  /**
   * As `since`, for the transactions that mention the account, which are listed before those of its token accounts; -1: all of
   * them have been published. Default: `since`.
   */
  readonly mentionedSince?: number;
  /** The number of its parts that were read to their end. */
  readonly parts: number;
  /** False when the history goes back further than `since`. */
  readonly complete: boolean;
}

export interface HistoryRemoved extends OfAccount, RemovedDocuments {}

export type SolanaMessage =
  | TransactionSeen
  | TransactionFinalized
  | TransactionRolledBack
  | TransactionRetracted
  | HistoryBackfilled
  | HistoryRemoved;

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
/** Between the fields of a message and its raw transaction; JSON contains none. */
const NEWLINE = 0x0a;
/** The fastest, with memory for one transaction: it makes it a third, and a higher level hardly less. */
const COMPRESSION = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 4_096 };
/** Bytes of a raw transaction: far more than a node answers with. */
const MAX_RAW_BYTES = 16 * 1_024 * 1_024;

/** The value of a record of `solana.transactions`; the raw transaction is compressed. */
export function encodeSolanaMessage(message: SolanaMessage): Buffer {
  if (message.type === 'transaction') {
    const { account, balance, mints, mentioned, raw, ...shared } = message;
    const text = new JsonText<JsonObject>(JSON.stringify(raw));
    return encodeTransactionSeen({ ...shared, raw: text }, [{ account, balance, mints, mentioned }])[0]!;
  }
  return Buffer.from(JSON.stringify({ v: VERSION, ...message }));
}

/**
 * The messages of one transaction for each of the accounts: a line of JSON, and after it the raw transaction as deflated
 * JSON. What is the same for all accounts, which is nearly everything, is encoded once.
 */
export function encodeTransactionSeen(
  { raw, ...shared }: SharedFields,
  accounts: readonly AccountFields[],
): Buffer[] {
  const rest = Buffer.concat([
    Buffer.from(`,${JSON.stringify(shared).slice(1)}\n`),
    deflateRawSync(raw.text, COMPRESSION),
  ]);
  const own = accounts.map(ownFields);
  // One allocation for all of them: a block has thousands.
  const all = Buffer.allocUnsafe(own.reduce((sum, text) => sum + Buffer.byteLength(text) + rest.length, 0));
  let end = 0;
  return own.map(text => {
    const start = end;
    end += all.write(text, end);
    end += rest.copy(all, end);
    return all.subarray(start, end);
  });
}

/** By template: thousands of records a block have no other fields of their own. */
const ownFields = ({ account, balance, mints, mentioned }: AccountFields): string =>
  `{"v":${VERSION},"account":${JSON.stringify(account)},"balance":${JSON.stringify(balance)},` +
  `"mints":${mints.length === 0 ? '[]' : JSON.stringify(mints)},"mentioned":${mentioned}`;

/** @throws Error when the bytes are of a version that this program does not know. */
export function decodeSolanaMessage(value: Buffer): SolanaMessage {
  const end = value.indexOf(NEWLINE);
  const line = end < 0 ? value : value.subarray(0, end);
  const { v, ...message } = readJson(line.toString()) as SolanaMessage & { v: number };
  if (v !== VERSION) throw new Error(`solana message of unknown version ${v}`);
  if (message.type !== 'transaction') return message as SolanaMessage;
  const raw = inflateRawSync(value.subarray(end + 1), { maxOutputLength: MAX_RAW_BYTES });
  return { ...message, raw: readJson(raw.toString()) as JsonObject } as TransactionSeen;
}

/** The value of a record of `solana.transactions.dead`. */
export function encodeSolanaDeadLetter(deadLetter: SolanaDeadLetter): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, ...deadLetter }));
}

/** @throws Error when the bytes are of a version that this program does not know. */
export function decodeSolanaDeadLetter(value: Buffer): SolanaDeadLetter {
  const { v, ...deadLetter } = readJson(value.toString()) as SolanaDeadLetter & { v: number };
  if (v !== VERSION) throw new Error(`solana dead letter of unknown version ${v}`);
  return deadLetter;
}
