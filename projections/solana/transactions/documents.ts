import type { Finality } from '../../../contracts/chain/solana';
import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import type { JsonObject } from '../../../contracts/json';
import type { CollectionSpec, Document, IndexSpec } from '../../../contracts/ports/documents';

/** What both kinds of document know of the inclusion they show. */
export type Inclusion = Document & {
  /** The key of the account. */
  account: string;
  signature: string;
  blockhash: string;
  /** Grows along the chain: slot and index within the block as one number. */
  place: number;
  finality: Finality;
  type: string;
  source: string;
};

/** A transaction as one account sees it. */
export type TransactionDocument = Inclusion & {
  slot: number;
  /** Lamports of the account afterwards; null when it is concerned through its tokens only. */
  balance: string | null;
  item: EnhancedTransaction & JsonObject;
};

/** That a transaction concerns an account through tokens of a mint; the transaction itself is in the other collection. */
export type TokenTransactionDocument = Inclusion & { mint: string };

/** The account's past up to `slot` is here; not all of it when `complete` is false. */
export type HistoryDocument = Document & { slot: number; complete: boolean };

const newestBy = (...fields: string[]): IndexSpec => ({
  fields: [...fields.map(field => [field, 'asc'] as const), ['place', 'desc']],
});

export const TRANSACTIONS: CollectionSpec = {
  name: 'solana_transactions',
  indexes: [
    newestBy('account'),
    newestBy('account', 'type'),
    newestBy('account', 'source'),
    { fields: [['signature', 'asc']] },
  ],
};

export const TOKEN_TRANSACTIONS: CollectionSpec = {
  name: 'solana_token_transactions',
  indexes: [newestBy('account', 'mint')],
};

export const HISTORIES: CollectionSpec = { name: 'solana_histories', indexes: [] };

/** More than a block can hold: transactions of one slot stay below the next slot. */
const BLOCK_CAPACITY = 2 ** 17;

export function placeOf(slot: number, index: number): number {
  return slot * BLOCK_CAPACITY + index;
}
