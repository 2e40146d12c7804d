import {
  TON_TRANSACTIONS,
  type TonLogMessage,
  type TonTransactionMessage,
} from '../../../contracts/chain/ton';
import { accountKey, type TonNetwork } from '../../../contracts/network/network';
import type { CollectionSpec, Document } from '../../../contracts/ports/documents';
import { createRecordReader, type TonDecoder } from '../log';
import { historyIn, removedDocuments } from '../../account-history';
import type { LogProjection } from '../../projection';
import { foldReachedDocument, reachedCollection, type ReachedDocument } from '../reached';
import { mentionedBy, padLt } from '../transactions/documents';

/** A jetton wallet of an owner, as its master confirmed it when a transaction of the owner named it. */
export type TonJettonDocument = Document & {
  network: TonNetwork;
  /** The key of the owner. */
  account: string;
  /** Raw, like the next one. */
  wallet: string;
  master: string;
  /** Logical time of the newest transaction of the owner that names it, padded so that its text order is its numeric order. */
  lt: string;
  /** The newest masterchain block with such a transaction; null when only a backfill has published them. */
  seqno: number | null;
};

export function jettonId(account: string, wallet: string): string {
  return `${account}/${wallet}`;
}

export const JETTONS: CollectionSpec = {
  name: 'ton_jettons',
  indexes: [
    {
      fields: [
        ['account', 'asc'],
        ['lt', 'desc'],
      ],
    },
    {
      fields: [
        ['network', 'asc'],
        ['lt', 'desc'],
      ],
    },
  ],
};

/** A transaction of an owner with a transfer of a jetton. */
export type TonJettonTransferDocument = Document & {
  /** The key of the owner, `/`, and the jetton wallet. */
  jetton: string;
  /** Padded. */
  lt: string;
};

export const JETTON_TRANSFERS: CollectionSpec = {
  name: 'ton_jetton_transfers',
  indexes: [
    {
      fields: [
        ['jetton', 'asc'],
        ['lt', 'desc'],
      ],
    },
  ],
};

/**
 * A jetton that an account sent to another one, without paying for a notification: no transaction of the receiver names it. The
 * id is that of the receiver, the master and the sender: only records of the sender touch the document.
 */
export type TonJettonReceiptDocument = Document & {
  /** The key of the receiver. */
  receiver: string;
  /** Raw. */
  master: string;
  /** Of the newest such transaction, as above. */
  lt: string;
  seqno: number | null;
};

export const JETTON_RECEIPTS: CollectionSpec = {
  name: 'ton_jetton_receipts',
  indexes: [
    {
      fields: [
        ['receiver', 'asc'],
        ['lt', 'desc'],
      ],
    },
  ],
};

/** How much of an account's history is folded. */
export const JETTONS_REACHED = reachedCollection('ton_jettons_reached');

const FOLD_VERSION = 4;

/** The wallets (raw) that the transaction names and that belong to its account. */
const ownWallets = ({ account, jettonWallets }: TonTransactionMessage): string[] =>
  Object.keys(jettonWallets).filter(wallet => jettonWallets[wallet]?.owner === account);

/** Those of them that the owner has sent a transfer to, or a notification of one came from. */
function transferWallets(message: TonTransactionMessage): string[] {
  const { inMessage, outMessages, unsent } = message.transaction;
  const wallets = [...(inMessage ? [inMessage] : []), ...outMessages, ...unsent].map(({ info, jetton }) => {
    if (info.type !== 'internal') return null;
    if (jetton?.type === 'transfer') return info.dest;
    return jetton?.type === 'transfer_notification' ? info.src : null;
  });
  return ownWallets(message).filter(wallet => wallets.includes(wallet));
}

/** The ids of what the account sent to others without a notification. */
function receiptsOf({
  network,
  account,
  jettonWallets,
  transaction,
}: TonTransactionMessage): ReadonlySet<string> {
  const receipts = transaction.outMessages.flatMap(({ info, jetton }) => {
    if (info.type !== 'internal' || jetton?.type !== 'transfer' || jetton.forwardAmount !== '0') return [];
    const wallet = jettonWallets[info.dest];
    if (wallet?.owner !== account) return [];
    const receiver = accountKey({ chain: 'ton', network, address: jetton.destination });
    return [`${receiver}/${wallet.master}/${account}`];
  });
  return new Set(receipts);
}

/** A reference is not taken back with a retracted transaction: the transaction that it names is then gone. */
function transferOf(id: string): TonJettonTransferDocument {
  const slash = id.lastIndexOf('/');
  return { _id: id, jetton: id.slice(0, slash), lt: id.slice(slash + 1) };
}

/**
 * The jettons of each owner, from the owner's own transactions: what was received with a notification or an excess, what
 * was sent, what was burnt; and from those of others what they sent without a notification. They are candidates: the balance of
 * each is observed, and one that is no wallet of the owner on the chain of today is not served. So nothing is taken back
 * with a retracted transaction.
 */
export function tonJettonsProjection(decoder: TonDecoder): LogProjection {
  const read = createRecordReader(decoder);
  return {
    name: 'ton-jettons',
    version: FOLD_VERSION + decoder.version - 1,
    topics: [TON_TRANSACTIONS.name],
    collections: [JETTONS, JETTON_TRANSFERS, JETTON_RECEIPTS, JETTONS_REACHED],
    history: {
      documents: historyIn({ whole: [JETTONS_REACHED], parts: [JETTONS, JETTON_TRANSFERS] }),
      // Receivers keep what was sent to them: nothing else may say that they have it.
      tellsOfOthers(record) {
        const message = read(record);
        return message.type === 'transaction' && receiptsOf(message).size > 0;
      },
    },
    touches(input) {
      const message = read(input);
      if (message.type === 'removed')
        return removedDocuments(input, message, [JETTONS_REACHED, JETTONS, JETTON_TRANSFERS]);
      if (message.type === 'backfilled' || message.type === 'retracted')
        return [{ collection: JETTONS_REACHED.name, id: input.key }];
      if (message.type !== 'transaction') return [];
      const lt = padLt(message.lt);
      return [
        ...ownWallets(message).map(wallet => ({ collection: JETTONS.name, id: jettonId(input.key, wallet) })),
        ...transferWallets(message).map(wallet => ({
          collection: JETTON_TRANSFERS.name,
          id: `${jettonId(input.key, wallet)}/${lt}`,
        })),
        ...[...receiptsOf(message)].map(id => ({ collection: JETTON_RECEIPTS.name, id })),
      ];
    },
    fold(document, input, { collection, id }) {
      const message = read(input);
      if (message.type === 'removed') return null;
      if (collection === JETTON_TRANSFERS.name) return transferOf(id);
      if (message.type === 'backfilled' || message.type === 'retracted')
        return foldReachedDocument(document as ReachedDocument | null, message, id);
      if (collection === JETTON_RECEIPTS.name)
        return foldReceipt(document as TonJettonReceiptDocument | null, message, id);
      const known = document as TonJettonDocument | null;
      const wallet = id.slice(input.key.length + 1);
      const named = message.type === 'transaction' ? message.jettonWallets[wallet] : null;
      if (message.type !== 'transaction' || !named) return known;
      const { master } = named;
      return {
        _id: id,
        network: message.network,
        account: input.key,
        wallet,
        // A wallet keeps its master; sources that disagree must not make the order of records matter.
        master: known && known.master < master ? known.master : master,
        ...mentionedBy(known, message),
      } satisfies TonJettonDocument;
    },
  };
}

function foldReceipt(
  known: TonJettonReceiptDocument | null,
  message: TonLogMessage,
  id: string,
): TonJettonReceiptDocument | null {
  if (message.type !== 'transaction') return known;
  const [receiver, master] = id.split('/') as [string, string];
  return { _id: id, receiver, master, ...mentionedBy(known, message) };
}
