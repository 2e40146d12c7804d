import { TON_TRANSACTIONS, type TonTransactionMessage } from '../../../contracts/chain/ton';
import type { CollectionSpec, Document } from '../../../contracts/ports/documents';
import { historyIn, removedDocuments } from '../../account-history';
import type { LogProjection } from '../../projection';
import { foldHistory, type FoldedHistory } from '../history';
import { createRecordReader, type TonDecoder } from '../log';
import { NOTHING_REACHED, reachedCollection } from '../reached';
import { transactionId } from '../transactions/documents';
import { stakeAnswer, stakeRequests, type StakeAnswer, type StakeRequest } from './stake-messages';

/** A transaction of a member that asks something of nominator pools, or in which one has answered. */
export type StakeTransactionDocument = Document & {
  /** Logical time, decimal. */
  lt: string;
  hash: string;
  /** Unix seconds. */
  time: number;
  requests: StakeRequest[];
  answer: StakeAnswer | null;
  /** Of the decoder that read it. */
  decoder: number;
};

/** The ids are those of the transactions: the account, and the logical time. */
export const STAKE_TRANSACTIONS: CollectionSpec = { name: 'ton_stake_transactions', indexes: [] };

/** How much of an account is folded. */
export type StakesReachedDocument = Document & FoldedHistory;

export const STAKES_REACHED = reachedCollection('ton_stakes_reached');

const FOLD_VERSION = 1;

/** What the members of nominator pools have asked of them, from the own transactions of each, and what the pools answered. */
export function tonStakesProjection(decoder: TonDecoder): LogProjection {
  const read = createRecordReader(decoder);
  return {
    name: 'ton-stakes',
    version: FOLD_VERSION + decoder.version - 1,
    topics: [TON_TRANSACTIONS.name],
    collections: [STAKES_REACHED, STAKE_TRANSACTIONS],
    history: { documents: historyIn({ whole: [STAKES_REACHED], parts: [STAKE_TRANSACTIONS] }) },
    touches(input) {
      const message = read(input);
      if (message.type === 'removed')
        return removedDocuments(input, message, [STAKES_REACHED, STAKE_TRANSACTIONS]);
      if (message.type === 'trace') return [];
      const reached = { collection: STAKES_REACHED.name, id: input.key };
      if (message.type === 'backfilled') return [reached];
      const transaction = { collection: STAKE_TRANSACTIONS.name, id: transactionId(input.key, message.lt) };
      return message.type === 'retracted' || isAboutStakes(message) ? [transaction, reached] : [reached];
    },
    fold(document, input, { collection, id }) {
      const message = read(input);
      if (message.type === 'removed' || message.type === 'trace') return null;
      if (collection === STAKES_REACHED.name)
        return foldHistory((document as StakesReachedDocument | null) ?? newAccount(id), message);
      const known = document as StakeTransactionDocument | null;
      if (message.type === 'retracted') return known?.hash === message.hash ? null : known;
      if (message.type === 'backfilled' || (known && known.decoder >= message.decoder)) return known;
      const { lt, hash, time, decoder: version, transaction } = message;
      return {
        _id: id,
        lt,
        hash,
        time,
        decoder: version,
        requests: stakeRequests(transaction),
        answer: stakeAnswer(transaction),
      } satisfies StakeTransactionDocument;
    },
  };
}

const isAboutStakes = ({ transaction }: TonTransactionMessage): boolean =>
  stakeRequests(transaction).length > 0 || stakeAnswer(transaction) !== null;

const newAccount = (_id: string): StakesReachedDocument => ({
  _id,
  ...NOTHING_REACHED,
  newest: null,
  hash: null,
});
