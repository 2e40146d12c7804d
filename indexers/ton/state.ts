import { accountKey, type TonNetwork } from '../../contracts/network';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import type { CollectionSpec, Document, Documents, Write } from '../../contracts/ports/documents';
import type { ShardTip } from './shards';

/** One document a network: how far everything is published, and what stands in the way. */
const CURSORS = 'ton_tail_cursors';
/** One document for each account whose chain is followed: its newest published transaction. */
export const HEADS = 'ton_tail_heads';

/** One document for each watched account: its newest transaction when the tail began to follow it. */
export const ACTIVATIONS = 'ton_tail_activations';

export const TAIL_COLLECTIONS: readonly CollectionSpec[] = [
  { name: CURSORS, indexes: [] },
  { name: ACTIVATIONS, indexes: [] },
  {
    name: HEADS,
    indexes: [
      {
        fields: [
          ['network', 'asc'],
          ['account', 'asc'],
        ],
      },
    ],
  },
];

/** The contiguous frontier: every masterchain block up to `seqno` is on the log. */
export interface Cursor {
  readonly seqno: number;
  readonly rootHash: string;
  readonly shards: readonly ShardTip[];
}

export type CursorDocument = Document & {
  seqno: number;
  rootHash: string;
  shards: { workchain: number; shard: string; seqno: number; started: boolean }[];
  tip: number;
  hole: { seqno: number; reason: string } | null;
};

export type HeadDocument = Document & { network: TonNetwork; account: string; lt: string; hash: string };

export function headId(network: TonNetwork, account: string): string {
  return accountKey({ chain: 'ton', network, address: account });
}

export function headWrite(network: TonNetwork, account: string, { lt, hash }: TransactionRef): Write {
  const id = headId(network, account);
  return { collection: HEADS, id, document: { _id: id, network, account, lt, hash } };
}

export type ActivationDocument = Document & { account: string; lt: string; hash: string };

export function activationWrite(network: TonNetwork, account: string, { lt, hash }: TransactionRef): Write {
  const id = headId(network, account);
  return { collection: ACTIVATIONS, id, document: { _id: id, account, lt, hash } };
}

export function cursorWrite(
  network: TonNetwork,
  { seqno, rootHash, shards }: Cursor,
  tip: number,
  hole: CursorDocument['hole'] = null,
): Write {
  return {
    collection: CURSORS,
    id: network,
    document: { _id: network, seqno, rootHash, shards: shards.map(shard => ({ ...shard })), tip, hole },
  };
}

export function fenceOf(network: TonNetwork): string {
  return `ton-tail-${network}`;
}

/** Goes with every commit of the cursor: of two indexers at once, one finds that it has moved and begins anew from it. */
export function frontierFence(network: TonNetwork, before: { seqno: number } | null, to: { seqno: number }) {
  return {
    name: fenceOf(network),
    value: { position: to.seqno },
    expect: before && { position: before.seqno },
  };
}

export function loadCursor(documents: Documents, network: TonNetwork): Promise<CursorDocument | null> {
  return documents.get<CursorDocument>(CURSORS, network);
}

/** Before the first transaction of an account. */
export const NO_TRANSACTION: TransactionRef = { lt: '0', hash: '' };
