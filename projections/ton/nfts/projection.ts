import { TON_TRANSACTIONS, type TonTransactionMessage } from '../../../contracts/chain/ton';
import { accountKey } from '../../../contracts/network/network';
import type { CollectionSpec, Document } from '../../../contracts/ports/documents';
import { historyIn, removedDocuments } from '../../account-history';
import type { LogProjection } from '../../projection';
import { foldReachedDocument, reachedCollection, type ReachedDocument } from '../reached';
import { createRecordReader, type TonDecoder } from '../log';
import { mentionedBy, padLt } from '../transactions/documents';

/** An NFT item that may belong to an account: it notified the account, or was sent a transfer by it. */
export type TonNftDocument = Document & {
  /** The key of the account. */
  account: string;
  /** Raw. */
  item: string;
  /** Logical time of the newest transaction of the account that names the item, padded. */
  lt: string;
  /** That transaction sends the item away, which happens some blocks later. */
  isSent: boolean;
  /** The newest masterchain block with such a transaction; null when only a backfill has published them. */
  seqno: number | null;
};

export const NFTS: CollectionSpec = {
  name: 'ton_nfts',
  indexes: [
    {
      fields: [
        ['account', 'asc'],
        ['lt', 'desc'],
      ],
    },
  ],
};

/**
 * An item that may have become an account's: another one transferred it, without paying for a notification. The id is that
 * of the new owner, the item and the account whose transaction says so: only records of that account touch the document.
 */
export type TonNftTransferDocument = Document & {
  /** The key of the new owner. */
  newOwner: string;
  /** Raw. */
  item: string;
  /** Of the newest transaction that says so, as above. */
  lt: string;
  seqno: number | null;
};

export const NFT_TRANSFERS: CollectionSpec = {
  name: 'ton_nft_transfers',
  indexes: [
    {
      fields: [
        ['newOwner', 'asc'],
        ['lt', 'desc'],
      ],
    },
  ],
};

/** How much of an account's history is folded. */
export const NFTS_REACHED = reachedCollection('ton_nfts_reached');

const FOLD_VERSION = 3;

type Message = TonTransactionMessage['transaction']['outMessages'][number];
type Internal = Extract<Message['info'], { type: 'internal' }>;

const isInternal = (message: Message): message is Message & { info: Internal } =>
  message.info.type === 'internal' && !message.info.bounced;

/** The items (raw) that the transaction names, and whether it sends them away. */
function itemsOf({ transaction }: TonTransactionMessage): ReadonlyMap<string, boolean> {
  const items = new Map<string, boolean>();
  const { inMessage, outMessages } = transaction;
  if (inMessage?.nft?.type === 'ownership_assigned' && isInternal(inMessage))
    items.set(inMessage.info.src, false);
  for (const message of outMessages)
    if (message.nft?.type === 'transfer' && isInternal(message)) items.set(message.info.dest, true);
  return items;
}

/** The ids of its transfers of items without a notification: those that the account sends, and one that it carries out as an item. */
function transfersOf({ network, account, transaction }: TonTransactionMessage): ReadonlySet<string> {
  const { inMessage, outMessages, success } = transaction;
  const transfers = [...(inMessage && success ? [inMessage] : []), ...outMessages].flatMap(message => {
    const { nft } = message;
    if (nft?.type !== 'transfer' || nft.forwardAmount !== '0' || nft.newOwner === null) return [];
    if (!isInternal(message)) return [];
    const newOwner = accountKey({ chain: 'ton', network, address: nft.newOwner });
    return [`${newOwner}/${message.info.dest}/${account}`];
  });
  return new Set(transfers);
}

/**
 * The items that may belong to an account, from its own transactions and from those of others. Anybody can claim to be an item,
 * and to transfer one: each is observed, and one that does not belong to the account on the chain of today is not served. So
 * nothing is taken back with a retracted transaction.
 */
export function tonNftsProjection(decoder: TonDecoder): LogProjection {
  const read = createRecordReader(decoder);
  return {
    name: 'ton-nfts',
    version: FOLD_VERSION + decoder.version - 1,
    topics: [TON_TRANSACTIONS.name],
    collections: [NFTS, NFT_TRANSFERS, NFTS_REACHED],
    history: {
      documents: historyIn({ whole: [NFTS_REACHED], parts: [NFTS] }),
      // As of jettons.
      tellsOfOthers(record) {
        const message = read(record);
        return message.type === 'transaction' && transfersOf(message).size > 0;
      },
    },
    touches(input) {
      const message = read(input);
      if (message.type === 'removed') return removedDocuments(input, message, [NFTS_REACHED, NFTS]);
      if (message.type === 'backfilled' || message.type === 'retracted')
        return [{ collection: NFTS_REACHED.name, id: input.key }];
      if (message.type !== 'transaction') return [];
      return [
        ...[...itemsOf(message).keys()].map(item => ({ collection: NFTS.name, id: `${input.key}/${item}` })),
        ...[...transfersOf(message)].map(id => ({ collection: NFT_TRANSFERS.name, id })),
      ];
    },
    fold(document, input, { collection, id }) {
      const message = read(input);
      if (message.type === 'removed') return null;
      if (message.type === 'backfilled' || message.type === 'retracted')
        return foldReachedDocument(document as ReachedDocument | null, message, id);
      if (message.type !== 'transaction') return document;
      return collection === NFTS.name
        ? foldItem(document as TonNftDocument | null, message, input.key, id)
        : foldTransfer(document as TonNftTransferDocument | null, message, id);
    },
  };
}

function foldItem(
  known: TonNftDocument | null,
  message: TonTransactionMessage,
  account: string,
  id: string,
): TonNftDocument {
  const item = id.slice(account.length + 1);
  const mention = mentionedBy(known, message);
  const isNewest = mention.lt === padLt(message.lt);
  return {
    _id: id,
    account,
    item,
    isSent: isNewest ? itemsOf(message).get(item)! : known!.isSent,
    ...mention,
  };
}

function foldTransfer(
  known: TonNftTransferDocument | null,
  message: TonTransactionMessage,
  id: string,
): TonNftTransferDocument {
  const [newOwner, item] = id.split('/') as [string, string];
  return { _id: id, newOwner, item, ...mentionedBy(known, message) };
}
