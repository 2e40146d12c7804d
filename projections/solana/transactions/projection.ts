import { LRUCache } from 'lru-cache';
import {
  SOLANA_TRANSACTIONS,
  decodeSolanaMessage,
  type SolanaMessage,
  type TransactionSeen,
} from '../../../contracts/chain/solana';
import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import type { JsonObject } from '../../../contracts/json/json';
import type { LogMessage } from '../../../contracts/ports/log';
import type { DocumentKey, LogProjection } from '../../projection';
import { historyIn, removedDocuments } from '../../account-history';
import {
  HISTORIES,
  ORPHANS,
  TOKEN_TRANSACTIONS,
  TRANSACTIONS,
  chainOrderOf,
  type HistoryDocument,
  type Inclusion,
  type OrphanDocument,
  type TokenTransactionDocument,
  type TransactionDocument,
} from './documents';
import { foldHistory, foldInclusion, foldOrphan, isOfTransaction } from './fold';

/** Decodes a raw transaction. The version grows whenever its output changes. */
export interface TransactionDecoder {
  readonly version: number;
  decode(raw: JsonObject, slot: number, blockTime: number | null): EnhancedTransaction;
  /** The mints of the token accounts through which an account is affected. */
  mints(raw: JsonObject, account: string): readonly string[];
}

const FOLD_VERSION = 4;

const COLLECTIONS = [HISTORIES, TRANSACTIONS, TOKEN_TRANSACTIONS, ORPHANS];

/**
 * The transactions of each Solana account, newest first, and by token; and how far back they are known. They are decoded
 * here from the raw transactions on the log, so a newer decoder raises the version of the projection: all history is rebuilt
 * with it, without reading the chain.
 */
export function solanaTransactionsProjection(decoder: TransactionDecoder): LogProjection {
  const read = memoized(decoder);
  return {
    name: 'solana-transactions',
    version: FOLD_VERSION + decoder.version - 1,
    topics: [SOLANA_TRANSACTIONS.name],
    collections: COLLECTIONS,
    history: {
      documents: historyIn({ whole: [HISTORIES], parts: [TRANSACTIONS, TOKEN_TRANSACTIONS, ORPHANS] }),
    },
    touches(input) {
      const message = read.message(input);
      if (message.type === 'removed') return removedDocuments(input, message, COLLECTIONS);
      return touches(message, read.mints(message), input.key);
    },
    fold(document, input, { collection, id }) {
      const message = read.message(input);
      if (message.type === 'removed') return null;
      if (collection === HISTORIES.name)
        return foldHistory(document as HistoryDocument | null, message, id, input.offset);
      if (!isOfTransaction(message)) return document;
      if (collection === ORPHANS.name)
        return foldOrphan(document as OrphanDocument | null, message, id, input.key);
      if (collection === TRANSACTIONS.name)
        return foldInclusion(document as TransactionDocument | null, message, seen =>
          transactionDocument(seen, read.decoded(seen), id, input.key),
        );
      return foldInclusion(document as TokenTransactionDocument | null, message, seen => ({
        ...inclusion(seen, read.decoded(seen).item, id, input.key),
        mint: mintOf(id),
      }));
    },
  };
}

function touches(message: SolanaMessage, mints: readonly string[], account: string): DocumentKey[] {
  if (!isOfTransaction(message)) return [{ collection: HISTORIES.name, id: account }];
  const { type, signature } = message;
  const id = `${account}/${signature}`;
  return [
    ...(type === 'retracted' || type === 'rolled-back' ? [{ collection: HISTORIES.name, id: account }] : []),
    ...(type === 'rolled-back' ? [{ collection: ORPHANS.name, id }] : []),
    { collection: TRANSACTIONS.name, id },
    ...mints.map(mint => ({ collection: TOKEN_TRANSACTIONS.name, id: `${account}/${signature}/${mint}` })),
  ];
}

const mintOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

const inclusion = (
  seen: TransactionSeen,
  { type, source }: EnhancedTransaction,
  _id: string,
  account: string,
): Inclusion => ({
  _id,
  account,
  signature: seen.signature,
  blockhash: seen.blockhash,
  chainOrder: chainOrderOf(seen.slot, seen.index),
  finality: seen.finality,
  type,
  source,
});

const transactionDocument = (
  seen: TransactionSeen,
  { item, text }: DecodedTransaction,
  _id: string,
  account: string,
): TransactionDocument => ({
  ...inclusion(seen, item, _id, account),
  slot: seen.slot,
  mentioned: seen.mentioned,
  balance: seen.balance,
  timestamp: item.timestamp,
  mints: [...new Set(item.tokenTransfers.map(({ mint }) => mint))],
  error: item.transactionError,
  item: text,
});

interface DecodedTransaction {
  readonly item: EnhancedTransaction;
  /** Its JSON. */
  readonly text: string;
}

/** Transactions that are decoded once for several accounts. */
const MAX_DECODED = 500;

/** A record is folded once for each document that it touches, and is read only once. */
function memoized(decoder: TransactionDecoder) {
  const messages = new WeakMap<LogMessage, SolanaMessage>();
  const transactions = new LRUCache<string, DecodedTransaction>({ max: MAX_DECODED });
  return {
    /** Those of the record, and what the decoder finds beside them: an older one may have missed some. */
    mints(message: SolanaMessage): readonly string[] {
      if (!isOfTransaction(message)) return [];
      if (message.type !== 'transaction') return message.mints;
      return [...new Set([...message.mints, ...decoder.mints(message.raw, message.account)])];
    },
    message(input: LogMessage): SolanaMessage {
      const message = messages.get(input) ?? decodeSolanaMessage(input.value);
      messages.set(input, message);
      return message;
    },
    decoded({ network, signature, blockhash, raw, slot, blockTime }: TransactionSeen): DecodedTransaction {
      const key = `${network}/${signature}/${blockhash}`;
      const known = transactions.get(key);
      if (known) return known;
      const item = decoder.decode(raw, slot, blockTime);
      const decoded = { item, text: JSON.stringify(item) };
      transactions.set(key, decoded);
      return decoded;
    },
  };
}
