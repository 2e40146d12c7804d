import { TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import { createRecordReader, type TonDecoder } from '../log';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../../contracts/network/network';
import { readJson } from '../../../contracts/json/read-json';
import { documentsOf, historyIn, removedDocuments } from '../../account-history';
import { tonHashKeys } from '../messages';
import type { AccountHistory, LogProjection } from '../../projection';
import {
  ACCOUNTS,
  TRANSACTIONS,
  transactionId,
  type TonAccountDocument,
  type TonTransactionDocument,
} from './documents';
import { foldAccount, foldRetraction, foldTrace, foldTransaction } from './fold';

const FOLD_VERSION = 5;

const COLLECTIONS = [ACCOUNTS, TRANSACTIONS];

/**
 * The history of each TON account, and how much of it is known. A newer decoder raises the version of the projection:
 * its documents are rebuilt from the raw bytes on the log, without reading the chain.
 */
export function tonTransactionsProjection(decoder: TonDecoder): LogProjection {
  const read = createRecordReader(decoder);
  return {
    name: 'ton-transactions',
    version: FOLD_VERSION + decoder.version - 1,
    topics: [TON_TRANSACTIONS.name],
    collections: COLLECTIONS,
    history: { documents: transactionDocuments },
    touches(input) {
      const message = read(input);
      if (message.type === 'removed') return removedDocuments(input, message, COLLECTIONS);
      const account = { collection: ACCOUNTS.name, id: input.key };
      if (message.type === 'backfilled') return [account];
      const documentOf = (lt: string) => ({
        collection: TRANSACTIONS.name,
        id: transactionId(input.key, lt),
      });
      const transaction = documentOf(message.lt);
      if (message.type === 'trace') return [transaction];
      const traces = message.type === 'retracted' ? (message.traces ?? []) : [];
      return [transaction, ...traces.map(({ lt }) => documentOf(lt)), account];
    },
    fold(document, input, { collection, id }) {
      const message = read(input);
      if (message.type === 'removed') return null;
      const known = document as TonTransactionDocument | null;
      if (message.type === 'trace') return foldTrace(known, message, id, input.key);
      if (collection === ACCOUNTS.name || message.type === 'backfilled')
        return foldAccount(document as TonAccountDocument | null, message, id);
      return message.type === 'transaction'
        ? foldTransaction(known, message, id, input.key)
        : foldRetraction(known, message);
    },
  };
}

const accountDocument = historyIn({ whole: [ACCOUNTS] });

/** With the documents of their hashes, which nothing else finds once the transactions are removed. */
const transactionDocuments: AccountHistory['documents'] = async (views, account) => [
  ...(await accountDocument(views, account)),
  ...(await documentsOf<TonTransactionDocument>(views, TRANSACTIONS.name, account)).flatMap(
    ({ _id, transaction }) => [
      ...(transaction === null
        ? []
        : tonHashKeys(account.network as TonNetwork, readJson(transaction) as TonTransaction)),
      { collection: TRANSACTIONS.name, id: _id },
    ],
  ),
];
