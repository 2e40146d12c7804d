import type { SolanaNetwork } from '../../contracts/network/network';
import type { CollectionSpec, Document, Documents, Write } from '../../contracts/ports/documents';
import type { BlockGap, StatusFields } from '../indexer';
import type { PublishedTransaction } from './records';
import type { BlockRef } from './source';

/** A block that was published and may still be abandoned. */
export interface UnfinalizedBlock extends BlockRef {
  readonly published: readonly PublishedTransaction[];
}

/** How far the chain has been published. */
export interface Cursor {
  /** Counts the stored cursors: each expects the one before it. */
  readonly revision: number;
  /** The last block that is published and final. */
  readonly finalized: BlockRef;
  /** The blocks after it, each the parent of the next. */
  readonly unfinalized: readonly UnfinalizedBlock[];
  /** Blocks that a crash may have left published although the cursor did not move to them. */
  readonly possiblyPublished: readonly UnfinalizedBlock[];
}

/** Status of the tail, stored with the cursor for programs that do not run the indexer. */
export interface TailStatus {
  /** The newest confirmed slot of the source; null while unknown. */
  readonly tip: number | null;
  readonly gap: BlockGap | null;
}

export const UNKNOWN_STATUS: TailStatus = { tip: null, gap: null };

/** The last published block. */
export function indexedBlock({ finalized, unfinalized }: Cursor): BlockRef {
  return unfinalized.at(-1) ?? finalized;
}

/** One document a network. */
export const CURSORS: CollectionSpec = { name: 'indexer_solana_cursors', indexes: [] };

/** The blocks of a cursor that are not final. */
export const BLOCKS: CollectionSpec = {
  name: 'indexer_solana_blocks',
  indexes: [
    {
      fields: [
        ['network', 'asc'],
        ['slot', 'asc'],
      ],
    },
  ],
};

type CursorDocument = Document &
  StatusFields & {
    readonly revision: number;
    readonly finalized: { slot: number; blockhash: string };
  };
type BlockDocument = Document & {
  network: string;
  slot: number;
  blockhash: string;
  published: PublishedTransaction[] & Document[string];
};

/** Null when the network has never been indexed. */
export async function loadCursor(documents: Documents, network: SolanaNetwork): Promise<Cursor | null> {
  // Reading the checkpoint first recovers a commit that was interrupted.
  await documents.checkpoint(cursorCheckpoint(network));
  const stored = await documents.get<CursorDocument>(CURSORS.name, network);
  if (!stored) return null;
  const blocks: UnfinalizedBlock[] = [];
  const query = { filter: { network }, order: [['slot', 'asc']] as const, limit: 500 };
  for await (const page of documents.scan<BlockDocument>(BLOCKS.name, query))
    for (const { slot, blockhash, published } of page) blocks.push({ slot, blockhash, published });
  const { revision, finalized, indexedHeight } = stored;
  return {
    revision,
    finalized,
    unfinalized: blocks.filter(({ slot }) => slot > finalized.slot && slot <= indexedHeight),
    possiblyPublished: blocks.filter(({ slot }) => slot > indexedHeight),
  };
}

/**
 * Replaces the stored cursor atomically; only what differs is written. Resolves to the stored cursor, with its revision.
 * @throws CheckpointMoved when the stored cursor is not `from`: another process indexes the network
 */
export async function storeCursor(
  documents: Documents,
  network: SolanaNetwork,
  from: Cursor | null,
  next: Omit<Cursor, 'revision'>,
  status: TailStatus = UNKNOWN_STATUS,
): Promise<Cursor> {
  const to: Cursor = { ...next, revision: (from?.revision ?? -1) + 1 };
  const before = new Map(blocksOf(from).map(block => [blockId(network, block), block]));
  const after = new Map(blocksOf(to).map(block => [blockId(network, block), block]));
  const collection = BLOCKS.name;
  const writes: Write[] = [cursorWrite(network, to, status)];
  for (const id of before.keys()) if (!after.has(id)) writes.push({ collection, id, document: null });
  for (const [id, block] of after) {
    if (before.get(id) === block) continue;
    const { slot, blockhash } = block;
    const published = block.published as BlockDocument['published'];
    writes.push({ collection, id, document: { _id: id, network, slot, blockhash, published } });
  }
  await documents.commit({
    writes,
    checkpoint: {
      name: cursorCheckpoint(network),
      value: { position: to.revision },
      expect: from && { position: from.revision },
    },
  });
  return to;
}

/** The checkpoint that is committed with every write of the cursor. */
export function cursorCheckpoint(network: SolanaNetwork): string {
  return `indexer-solana-${network}`;
}

const blocksOf = (cursor: Cursor | null): readonly UnfinalizedBlock[] =>
  cursor ? [...cursor.unfinalized, ...cursor.possiblyPublished] : [];

const blockId = (network: SolanaNetwork, { slot, blockhash }: BlockRef): string =>
  `${network}/${slot}/${blockhash}`;

function cursorWrite(network: SolanaNetwork, cursor: Cursor, { tip, gap }: TailStatus): Write {
  const { revision, finalized } = cursor;
  const document: CursorDocument = {
    _id: network,
    indexedHeight: indexedBlock(cursor).slot,
    tip,
    gap: gap && { ...gap },
    revision,
    finalized: { slot: finalized.slot, blockhash: finalized.blockhash },
  };
  return { collection: CURSORS.name, id: network, document };
}
