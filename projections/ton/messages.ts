import { Buffer } from 'node:buffer';
import { TON_TRANSACTIONS, type TonTransactionMessage } from '../../contracts/chain/ton';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../contracts/network/network';
import type { CollectionSpec, Document, Source } from '../../contracts/ports/documents';
import { removedDocuments } from '../account-history';
import type { DocumentKey, LogProjection } from '../projection';
import type { Views } from '../views';
import { createRecordReader, type TonDecoder } from './log';

/** The transaction of a hash: that of the transaction, or either one of the external message that caused it. */
export type TonHashTransaction = {
  /** Raw address of the account. */
  readonly account: string;
  readonly lt: string;
  /** Of the transaction. */
  readonly hash: string;
  readonly time: number;
};

/** The transactions of a hash, oldest first: a contract without replay protection accepts the same message twice. */
export type TonHashDocument = Document & { transactions: TonHashTransaction[] };

/** Those that are kept: who sends one message again and again makes no document grow. */
const MAX_TRANSACTIONS = 16;

const HASHES: CollectionSpec = { name: 'ton_hashes', indexes: [] };

const FOLD_VERSION = 2;

const hex = (hash: string): string => Buffer.from(hash, 'base64').toString('hex');

const hashesOf = ({ hash, external }: Pick<TonTransaction, 'hash' | 'external'>): Set<string> =>
  new Set([hash, ...(external ? [external.hash, external.normalized] : [])]);

const hashOf = ({ hash, transaction: { external } }: TonTransactionMessage) => ({ hash, external });

const hashKey = (network: TonNetwork, hash: string): DocumentKey => ({
  collection: HASHES.name,
  id: hashId(network, hex(hash)),
});

/** The documents in which a transaction is found by its hashes. */
export function tonHashKeys(
  network: TonNetwork,
  transaction: Pick<TonTransaction, 'hash' | 'external'>,
): DocumentKey[] {
  return [...hashesOf(transaction)].map(hash => hashKey(network, hash));
}

function withoutAccount(known: TonHashDocument | null, removed: string): TonHashDocument | null {
  const transactions = known?.transactions.filter(({ account }) => account !== removed) ?? [];
  return known && transactions.length > 0 ? { ...known, transactions } : null;
}

/** Maps transaction hashes, and both hashes of external messages, to transactions. */
export function tonMessagesProjection(decoder: TonDecoder): LogProjection {
  const read = createRecordReader(decoder);
  return {
    name: 'ton-messages',
    version: FOLD_VERSION + decoder.version - 1,
    topics: [TON_TRANSACTIONS.name],
    collections: [HASHES],
    // Those of the transactions name them.
    history: { documents: async () => [] },
    touches(input) {
      const message = read(input);
      if (message.type === 'removed') return removedDocuments(input, message, [HASHES]);
      if (message.type === 'backfilled' || message.type === 'trace') return [];
      const { network } = message;
      if (message.type === 'transaction') return tonHashKeys(network, hashOf(message));
      return [message.hash, ...message.external].map(hash => hashKey(network, hash));
    },
    fold(document, input, { id }) {
      const known = document as TonHashDocument | null;
      const message = read(input);
      if (message.type === 'removed') return withoutAccount(known, message.account);
      if (message.type !== 'transaction' && message.type !== 'retracted') return known;
      const others = known?.transactions.filter(({ hash }) => hash !== message.hash) ?? [];
      if (message.type === 'retracted')
        return others.length > 0 ? ({ _id: id, transactions: others } satisfies TonHashDocument) : null;
      const { account, lt, hash, time } = message;
      const transactions = [...others, { account, lt, hash, time }]
        .sort((one, other) => (BigInt(one.lt) < BigInt(other.lt) ? -1 : 1))
        .slice(0, MAX_TRANSACTIONS);
      return { _id: id, transactions } satisfies TonHashDocument;
    },
  };
}

/** Finds the first transaction of a hash (64 hexadecimal digits, lower case); null when none is known on the network. */
export function tonTransactionByHash(views: Views) {
  return async (network: TonNetwork, hash: string): Promise<TonHashTransaction | null> =>
    (await views.get<TonHashDocument>(HASHES.name, hashId(network, hash)))?.transactions[0] ?? null;
}

/** The source of `tonTransactionByHash`. */
export function tonHashSource(network: TonNetwork, hash: string): Source {
  return {
    collection: HASHES.name,
    part: hashId(network, hash),
  };
}

const hashId = (network: TonNetwork, hash: string): string => `${network}/${hash}`;
