import type { Finality } from '../../../contracts/chain/solana';
import type { CollectionSpec, Document, IndexSpec } from '../../../contracts/ports/documents';

/** What both kinds of document have in common: the inclusion of a transaction in a block. */
export type Inclusion = Document & {
  /** The key of the account. */
  account: string;
  signature: string;
  blockhash: string;
  /** Grows along the chain: slot and index within the block as one number. */
  chainOrder: number;
  finality: Finality;
  type: string;
  source: string;
};

/** A transaction as one account sees it. */
export type TransactionDocument = Inclusion & {
  slot: number;
  /** Whether the transaction names the account; else it moved only tokens that the account owns. */
  mentioned: boolean;
  /** Lamports of the account afterwards; null when it is affected through its tokens only. */
  balance: string | null;
  /** Unix seconds. */
  timestamp: number;
  /** Of all tokens that the transaction transfers, not only those of the account. */
  mints: string[];
  /** Null when it succeeded. */
  error: string | null;
  /** JSON of the `EnhancedTransaction`, which pages send as it is. */
  item: string;
};

/** A transaction affects tokens of a mint that an account owns; the transaction itself is in the other collection. */
export type TokenTransactionDocument = Inclusion & { mint: string };

/** Of the account's history, the slots after `since` up to `slot` are stored; all of it when `complete`. */
export type HistoryDocument = Document & {
  /** The number of the watch for which this is known. */
  watch: number;
  slot: number;
  since: number;
  /** As `since`, for what mentions the account; -1: all of it is stored. */
  mentionedSince: number;
  /** The number of its parts that were read to their end. */
  parts: number;
  complete: boolean;
  /** Offset on the log of the last rollback, which may be of any transaction of the account; of what the history began with. */
  rollbackOffset: number;
};

/** Where a transaction of an account was before a fork dropped it: clients may go on from there. */
export type OrphanDocument = Document & { account: string; signature: string; slot: number };

const newestBy = (...fields: string[]): IndexSpec => ({
  fields: [...fields.map(field => [field, 'asc'] as const), ['chainOrder', 'desc']],
});

export const TRANSACTIONS: CollectionSpec = {
  name: 'solana_transactions',
  indexes: [
    newestBy('account'),
    newestBy('account', 'mentioned'),
    newestBy('account', 'mentioned', 'type'),
    newestBy('account', 'mentioned', 'source'),
    { fields: [['signature', 'asc']] },
  ],
};

export const TOKEN_TRANSACTIONS: CollectionSpec = {
  name: 'solana_token_transactions',
  indexes: [newestBy('account', 'mint')],
};

export const HISTORIES: CollectionSpec = { name: 'solana_histories', indexes: [] };

export const ORPHANS: CollectionSpec = {
  name: 'solana_orphans',
  indexes: [{ fields: [['signature', 'asc']] }],
};

/** More transactions than a block can contain, so that those of one slot come before the next slot. */
const BLOCK_CAPACITY = 2 ** 17;

export function chainOrderOf(slot: number, index: number): number {
  return slot * BLOCK_CAPACITY + index;
}
