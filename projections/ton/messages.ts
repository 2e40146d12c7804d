import { Buffer } from 'node:buffer';
import { TON_TRANSACTIONS, type TonTransactionMessage } from '../../contracts/chain/ton';
import type { TonNetwork } from '../../contracts/network';
import type { CollectionSpec, Document, Source } from '../../contracts/ports/documents';
import type { LogProjection } from '../projection';
import type { Views } from '../views';
import { createRecordReader, type TonDecoder } from './log';

/** The transaction of a hash: that of the transaction, or either one of the external message that caused it. */
export type TonHashDocument = Document & {
  /** Raw address of the account. */
  account: string;
  lt: string;
  /** Of the transaction. */
  hash: string;
  time: number;
};

const HASHES: CollectionSpec = { name: 'ton_hashes', indexes: [] };

const FOLD_VERSION = 1;

const hex = (hash: string): string => Buffer.from(hash, 'base64').toString('hex');

const hashesOf = ({ hash, transaction: { external } }: TonTransactionMessage): Set<string> =>
  new Set([hash, ...(external ? [external.hash, external.normalized] : [])]);

/** Maps transaction hashes, and both hashes of external messages, to transactions. */
export function tonMessagesProjection(decoder: TonDecoder): LogProjection {
  const read = createRecordReader(decoder);
  return {
    name: 'ton-messages',
    version: FOLD_VERSION + decoder.version - 1,
    topics: [TON_TRANSACTIONS.name],
    collections: [HASHES],
    touches(input) {
      const message = read(input);
      if (message.type === 'backfilled' || message.type === 'trace') return [];
      const hashes = message.type === 'transaction' ? hashesOf(message) : [message.hash, ...message.external];
      return [...hashes].map(hash => ({
        collection: HASHES.name,
        id: hashId(message.network, hex(hash)),
      }));
    },
    fold(document, input, { id }) {
      const known = document as TonHashDocument | null;
      const message = read(input);
      if (message.type === 'retracted') return known?.hash === message.hash ? null : known;
      if (message.type !== 'transaction') return known;
      // A contract without replay protection accepts the same message twice: the first transaction counts.
      if (known && BigInt(known.lt) <= BigInt(message.lt)) return known;
      const { account, lt, hash, time } = message;
      return { _id: id, account, lt, hash, time } satisfies TonHashDocument;
    },
  };
}

/** Finds the transaction of a hash (64 hexadecimal digits, lower case); null when it is not known on the network. */
export function tonTransactionByHash(views: Views) {
  return (network: TonNetwork, hash: string): Promise<TonHashDocument | null> =>
    views.get<TonHashDocument>(HASHES.name, hashId(network, hash));
}

/** The source of `tonTransactionByHash`. */
export function tonHashSource(network: TonNetwork, hash: string): Source {
  return {
    collection: HASHES.name,
    part: hashId(network, hash),
  };
}

const hashId = (network: TonNetwork, hash: string): string => `${network}/${hash}`;
