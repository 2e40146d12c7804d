import {
  SOLANA_TRANSACTIONS,
  decodeSolanaMessage,
  type SolanaMessage,
  type TransactionSeen,
} from '../../../contracts/chain/solana';
import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import type { JsonObject } from '../../../contracts/json';
import type { LogMessage } from '../../../contracts/ports/log';
import type { DocumentKey, LogProjection } from '../../projection';
import {
  HISTORIES,
  TOKEN_TRANSACTIONS,
  TRANSACTIONS,
  chainOrderOf,
  type HistoryDocument,
  type Inclusion,
  type TokenTransactionDocument,
  type TransactionDocument,
} from './documents';
import { foldHistory, foldInclusion, isOfTransaction } from './fold';

/** Decodes a raw transaction. The version grows whenever its output changes. */
export interface TransactionDecoder {
  readonly version: number;
  decode(raw: JsonObject, slot: number, blockTime: number | null): EnhancedTransaction;
}

const FOLD_VERSION = 1;

/**
 * The transactions of each Solana account, newest first, and by token; and how far back they are known.
 * Records of an older decoder are decoded again from their raw bytes, and a newer decoder raises the version of the
 * projection: all history is rebuilt with it, without reading the chain.
 */
export function solanaTransactionsProjection(decoder: TransactionDecoder): LogProjection {
  const decode = memoized(value => redecode(decodeSolanaMessage(value), decoder));
  return {
    name: 'solana-transactions',
    version: FOLD_VERSION + decoder.version - 1,
    topics: [SOLANA_TRANSACTIONS.name],
    collections: [TRANSACTIONS, TOKEN_TRANSACTIONS, HISTORIES],
    touches: input => touches(decode(input), input.key),
    fold(document, input, { collection, id }) {
      const message = decode(input);
      if (!isOfTransaction(message)) return foldHistory(document as HistoryDocument | null, message, id);
      if (collection === HISTORIES.name) return null; // it is read again
      if (collection === TRANSACTIONS.name)
        return foldInclusion(document as TransactionDocument | null, message, seen =>
          transactionDocument(seen, id, input.key),
        );
      return foldInclusion(document as TokenTransactionDocument | null, message, seen => ({
        ...inclusion(seen, id, input.key),
        mint: mintOf(id),
      }));
    },
  };
}

function redecode(message: SolanaMessage, { version, decode }: TransactionDecoder): SolanaMessage {
  if (message.type !== 'transaction' || message.decoder >= version) return message;
  const { raw, slot, blockTime } = message;
  return { ...message, decoder: version, decoded: decode(raw, slot, blockTime) };
}

function touches(message: SolanaMessage, account: string): DocumentKey[] {
  if (!isOfTransaction(message)) return [{ collection: HISTORIES.name, id: account }];
  const { type, signature, mints } = message;
  return [
    ...(type === 'retracted' ? [{ collection: HISTORIES.name, id: account }] : []),
    { collection: TRANSACTIONS.name, id: `${account}/${signature}` },
    ...mints.map(mint => ({ collection: TOKEN_TRANSACTIONS.name, id: `${account}/${signature}/${mint}` })),
  ];
}

const mintOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

const inclusion = (seen: TransactionSeen, _id: string, account: string): Inclusion => ({
  _id,
  account,
  signature: seen.signature,
  blockhash: seen.blockhash,
  chainOrder: chainOrderOf(seen.slot, seen.index),
  finality: seen.finality,
  type: seen.decoded.type,
  source: seen.decoded.source,
});

const transactionDocument = (seen: TransactionSeen, _id: string, account: string): TransactionDocument => ({
  ...inclusion(seen, _id, account),
  slot: seen.slot,
  balance: seen.balance,
  item: seen.decoded as TransactionDocument['item'],
});

/** A record is folded once for each document it touches, and decoded only once. */
function memoized(decode: (value: Buffer) => SolanaMessage): (input: LogMessage) => SolanaMessage {
  const decoded = new WeakMap<LogMessage, SolanaMessage>();
  return input => {
    const message = decoded.get(input) ?? decode(input.value);
    decoded.set(input, message);
    return message;
  };
}
