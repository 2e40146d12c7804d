import { Buffer } from 'node:buffer';
import { TON_TRANSACTIONS, type TonTransactionMessage } from '../../contracts/chain/ton';
import type { TonNetwork } from '../../contracts/network';
import type { CollectionSpec, Document, Source } from '../../contracts/ports/documents';
import type { LogProjection } from '../projection';
import type { Views } from '../views';
import { upToDate, type TonDecoder } from './log';

/** Where a hash leads: of a transaction, or of the external message that it took in. */
export type TonHashDocument = Document & {
  /** Raw address of the account. */
  account: string;
  lt: string;
  /** Of the transaction. */
  hash: string;
  time: number;
  success: boolean;
};

const HASHES: CollectionSpec = { name: 'ton_hashes', indexes: [] };

const VERSION = 1;

const hex = (hash: string): string => Buffer.from(hash, 'base64').toString('hex');

const hashesOf = ({ hash, transaction: { external } }: TonTransactionMessage): Set<string> =>
  new Set([hash, ...(external ? [external.hash, external.normalized] : [])]);

/** Leads from the hashes that a wallet knows of what it sent to the transaction it became. */
export function tonMessagesProjection(decoder: TonDecoder): LogProjection {
  const read = upToDate(decoder);
  return {
    name: 'ton-messages',
    version: VERSION * 1_000 + decoder.version,
    topics: [TON_TRANSACTIONS.name],
    collections: [HASHES],
    touches(input) {
      const message = read(input);
      if (message.type !== 'transaction') return [];
      return [...hashesOf(message)].map(hash => ({
        collection: HASHES.name,
        id: hashId(message.network, hex(hash)),
      }));
    },
    fold(document, input, { id }) {
      const known = document as TonHashDocument | null;
      const message = read(input);
      if (message.type !== 'transaction') return known;
      // A contract without replay protection takes the same message twice: its first time counts.
      if (known && BigInt(known.lt) <= BigInt(message.lt)) return known;
      const { account, lt, hash, time, transaction } = message;
      return { _id: id, account, lt, hash, time, success: transaction.success } satisfies TonHashDocument;
    },
  };
}

/** Finds the transaction of a hash (64 hexadecimal digits, lower case); null when it is not known on the network. */
export function tonTransactionByHash(views: Views) {
  return (network: TonNetwork, hash: string): Promise<TonHashDocument | null> =>
    views.get<TonHashDocument>(HASHES.name, hashId(network, hash));
}

/** Where that is looked up. */
export function tonHashSource(network: TonNetwork, hash: string): Source {
  return {
    collection: HASHES.name,
    part: hashId(network, hash),
  };
}

const hashId = (network: TonNetwork, hash: string): string => `${network}/${hash}`;
