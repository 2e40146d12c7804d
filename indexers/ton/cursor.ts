import type { TonNetwork } from '../../contracts/network/network';
import type { CollectionSpec, Document, Documents, Write } from '../../contracts/ports/documents';
import type { BlockGap, StatusFields } from '../indexer';
import type { ShardTip } from './shards';

/** One document a network. */
export const CURSORS: CollectionSpec = { name: 'indexer_ton_cursors', indexes: [] };

/** Every masterchain block up to `seqno` is on the log. */
export interface Cursor {
  readonly seqno: number;
  readonly rootHash: string;
  readonly shards: readonly ShardTip[];
}

type CursorDocument = Document &
  StatusFields & {
    rootHash: string;
    shards: { workchain: number; shard: string; seqno: number; started: boolean }[];
  };

/** The cursor and the newest block known when it was stored. */
type StoredCursor = Cursor & { readonly tip: number };

export async function loadCursor(documents: Documents, network: TonNetwork): Promise<StoredCursor | null> {
  const stored = await documents.get<CursorDocument>(CURSORS.name, network);
  if (!stored) return null;
  const { indexedHeight, rootHash, shards, tip } = stored;
  return { seqno: indexedHeight, rootHash, shards, tip: tip ?? indexedHeight };
}

export function cursorWrite(
  network: TonNetwork,
  { seqno, rootHash, shards }: Cursor,
  tip: number,
  gap: BlockGap | null = null,
): Write {
  const document: CursorDocument = {
    _id: network,
    indexedHeight: seqno,
    tip,
    gap: gap && { ...gap },
    rootHash,
    shards: shards.map(shard => ({ ...shard })),
  };
  return { collection: CURSORS.name, id: network, document };
}

/** The checkpoint that is committed with every write of the cursor. */
export function cursorCheckpoint(network: TonNetwork): string {
  return `indexer-ton-${network}`;
}

/** Part of every commit of the cursor: of two concurrent indexers one is refused, and continues from the stored cursor. */
export function cursorFence(network: TonNetwork, before: { seqno: number } | null, to: { seqno: number }) {
  return {
    name: cursorCheckpoint(network),
    value: { position: to.seqno },
    expect: before && { position: before.seqno },
  };
}
