import { EMPTY_HEAD, HashChain } from '../../contracts/ledger-tree/hash-chain';
import type { TreeHead } from '../../contracts/ledger-tree/tree-head';
import { EMPTY_ROOT, rangeRoot, type ReadSubtreeRoot } from '../../contracts/ledger-tree/merkle-tree';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Documents } from '../../contracts/ports/documents';
import type { StoredFrontier } from './frontier';
import { createTileReads, type TileReads } from './tile-reads';
import { hashesOf, LEDGER_TREE_LEAVES, LEDGER_TREE_POSITION, TILE_SIZE, type LeafTile } from './tiles';

/** Reads the stored ledger tree: a few documents, however many events there are. */
export interface LedgerTreeReader {
  /** The store position up to which all events of the ledger are in the tree. */
  includedUpTo(): Promise<Position>;
  /** The tree head at a position that the tree includes. */
  headAt(position: Position): Promise<TreeHead>;
  /** The number of events up to a position that the tree includes. */
  sizeAt(position: Position): Promise<number>;
  /** The leaf index of the event at the position; null when it is not an event of the ledger. */
  leafIndexAt(position: Position): Promise<number | null>;
  /** The last event in the tree, and the position of the one before it; null for an empty tree. */
  lastLeaf(): Promise<LastLeaf | null>;
  readonly subtreeRoot: ReadSubtreeRoot;
  /** All tiles of leaves, in order. */
  leafTiles(): AsyncIterable<LeafTile>;
  /** Where the builder continues; null when nothing is stored yet. */
  frontier(): Promise<{ readonly position: Position; readonly stored: StoredFrontier | null } | null>;
  /** Resolves when the tree has grown, or after `timeoutMs`. */
  waitForChange(timeoutMs: number): Promise<void>;
}

export interface LastLeaf {
  readonly position: Position;
  readonly digest: Buffer;
  readonly before: Position;
}

export function createLedgerTreeReader(documents: Documents): LedgerTreeReader {
  const tiles = createTileReads(documents);
  const { ready, subtreeRoot, tileBefore } = tiles;

  const includedUpTo = async (): Promise<Position> => {
    await ready();
    const checkpoint = await documents.checkpoint(LEDGER_TREE_POSITION);
    return checkpoint && 'position' in checkpoint ? checkpoint.position : BEGINNING;
  };

  return {
    includedUpTo,
    subtreeRoot,

    async headAt(position) {
      const tile = await tileBefore(position);
      if (!tile) return EMPTY_TREE_HEAD;
      const count = countUpTo(tile.positions, position);
      const chain = new HashChain(Buffer.from(tile.before, 'hex'));
      for (const digest of hashesOf(tile).slice(0, count)) chain.append(digest);
      const size = Number(tile._id) * TILE_SIZE + count;
      const root = await rangeRoot(0, size, subtreeRoot);
      return {
        size,
        position: tile.positions[count - 1]!,
        head: chain.head.toString('hex'),
        root: root.toString('hex'),
      };
    },

    async sizeAt(position) {
      const tile = await tileBefore(position);
      return tile ? Number(tile._id) * TILE_SIZE + countUpTo(tile.positions, position) : 0;
    },

    async leafIndexAt(position) {
      const tile = await tileBefore(position);
      const at = tile?.positions.indexOf(position) ?? -1;
      return at < 0 ? null : Number(tile!._id) * TILE_SIZE + at;
    },

    async lastLeaf() {
      const tile = await tileBefore(Number.MAX_SAFE_INTEGER);
      if (!tile) return null;
      const position = tile.positions.at(-1)!;
      const before = tile.positions.at(-2) ?? (await tileBefore(position - 1))?.positions.at(-1) ?? BEGINNING;
      return { position, digest: hashesOf(tile).at(-1)!, before };
    },

    async *leafTiles() {
      await ready();
      for await (const page of documents.scan<LeafTile>(LEDGER_TREE_LEAVES.name, { limit: 64 })) yield* page;
    },

    async frontier() {
      await ready();
      const checkpoint = await documents.checkpoint(LEDGER_TREE_POSITION);
      if (!checkpoint || !('position' in checkpoint)) return null;
      const last = await tileBefore(Number.MAX_SAFE_INTEGER);
      return { position: checkpoint.position, stored: last && (await storedFrontier(tiles, last)) };
    },

    async waitForChange(timeoutMs) {
      await ready();
      await documents.waitForChange([LEDGER_TREE_LEAVES.name], timeoutMs);
    },
  };
}

/** The right edge of the tree, of which its last tile of leaves is a part. */
async function storedFrontier({ hashes }: TileReads, last: LeafTile): Promise<StoredFrontier> {
  const digests = hashesOf(last);
  const size = Number(last._id) * TILE_SIZE + digests.length;
  const chain = new HashChain(Buffer.from(last.before, 'hex'));
  for (const digest of digests) chain.append(digest);
  const filled: Buffer[][] = [digests.length === TILE_SIZE ? [] : digests];
  for (
    let level = 1, count = Math.floor(size / TILE_SIZE);
    count > 0;
    level++, count = Math.floor(count / TILE_SIZE)
  )
    filled.push(count % TILE_SIZE === 0 ? [] : [...(await hashes(level, Math.floor(count / TILE_SIZE)))]);
  return {
    size,
    head: chain.head,
    position: last.positions.at(-1)!,
    hashes: filled,
    positions: digests.length === TILE_SIZE ? [] : last.positions,
    before: digests.length === TILE_SIZE ? chain.head : Buffer.from(last.before, 'hex'),
  };
}

const EMPTY_TREE_HEAD: TreeHead = {
  size: 0,
  position: BEGINNING,
  head: EMPTY_HEAD.toString('hex'),
  root: EMPTY_ROOT.toString('hex'),
};

/** How many of the ascending positions are not after the given one. */
function countUpTo(positions: readonly Position[], position: Position): number {
  const beyond = positions.findIndex(each => each > position);
  return beyond < 0 ? positions.length : beyond;
}
