import { TON_TRANSACTIONS, type TonTransactionMessage } from '../../../contracts/chain/ton';
import type { CollectionSpec, Document } from '../../../contracts/ports/documents';
import type { LogProjection } from '../../projection';
import { createRecordReader, type TonDecoder } from '../log';
import { newerSeqno, padLt } from '../transactions/documents';

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

const FOLD_VERSION = 1;

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

type Message = TonTransactionMessage['transaction']['outMessages'][number];
type Internal = Extract<Message['info'], { type: 'internal' }>;

const isInternal = (message: Message): message is Message & { info: Internal } =>
  message.info.type === 'internal' && !message.info.bounced;

/**
 * The items that may belong to an account, from its own transactions. Anybody can claim to be an item: each is observed, and one
 * that does not belong to the account on the chain of today is not served. So nothing is taken back with a retracted
 * transaction.
 */
export function tonNftsProjection(decoder: TonDecoder): LogProjection {
  const read = createRecordReader(decoder);
  return {
    name: 'ton-nfts',
    version: FOLD_VERSION + decoder.version - 1,
    topics: [TON_TRANSACTIONS.name],
    collections: [NFTS],
    touches(input) {
      const message = read(input);
      if (message.type !== 'transaction') return [];
      return [...itemsOf(message).keys()].map(item => ({
        collection: NFTS.name,
        id: `${input.key}/${item}`,
      }));
    },
    fold(document, input, { id }) {
      const known = document as TonNftDocument | null;
      const message = read(input);
      if (message.type !== 'transaction') return known;
      const item = id.slice(input.key.length + 1);
      const lt = padLt(message.lt);
      const isNewest = !known || lt >= known.lt;
      return {
        _id: id,
        account: input.key,
        item,
        lt: isNewest ? lt : known.lt,
        isSent: isNewest ? itemsOf(message).get(item)! : known.isSent,
        seqno: newerSeqno(known?.seqno ?? null, message.seqno),
      } satisfies TonNftDocument;
    },
  };
}
