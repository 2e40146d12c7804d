import { LRUCache } from 'lru-cache';
import type { ReadSubtreeRoot } from '../../contracts/ledger-tree/merkle-tree';
import type { Documents } from '../../contracts/ports/documents';
import type { Position } from '../../contracts/position';
import {
  CorruptLedgerTree,
  hashesOf,
  leafTileId,
  LEDGER_TREE_COLLECTIONS,
  LEDGER_TREE_LEAVES,
  LEDGER_TREE_NODES,
  merkleTreeOf,
  nodeTileId,
  TILE_LEVELS,
  TILE_SIZE,
  type LeafTile,
  type NodeTile,
} from './tiles';

/** Reads the tiles of the ledger tree; full ones, which never change, are cached. */
export interface TileReads {
  /** Resolves when the collections exist, which every read waits for. */
  ready(): Promise<void>;
  /** The hashes of a tile; level 0 has the leaves. None where there is no tile. */
  hashes(level: number, index: number): Promise<readonly Buffer[]>;
  readonly subtreeRoot: ReadSubtreeRoot;
  /** The tile of the last leaf up to the position. */
  tileBefore(position: Position): Promise<LeafTile | null>;
}

const MAX_CACHED_TILES = 256;

export function createTileReads(documents: Documents): TileReads {
  const cache = new LRUCache<string, readonly Buffer[]>({ max: MAX_CACHED_TILES });
  let declared: Promise<void> | null = null;

  const ready = (): Promise<void> =>
    (declared ??= documents.declare(LEDGER_TREE_COLLECTIONS).catch((error: unknown) => {
      declared = null;
      throw error;
    }));

  const leafTile = (index: number) => documents.get<LeafTile>(LEDGER_TREE_LEAVES.name, leafTileId(index));

  const hashes = async (level: number, index: number): Promise<readonly Buffer[]> => {
    const id = nodeTileId(level, index);
    const cached = cache.get(id);
    if (cached) return cached;
    const tile =
      level === 0 ? await leafTile(index) : await documents.get<NodeTile>(LEDGER_TREE_NODES.name, id);
    const found = tile ? hashesOf(tile) : [];
    if (found.length === TILE_SIZE) cache.set(id, found);
    return found;
  };

  const subtreeRoot: ReadSubtreeRoot = async (level, index) => {
    await ready();
    const tileLevel = Math.floor(level / TILE_LEVELS);
    const width = 2 ** (level % TILE_LEVELS);
    const first = index * width;
    const tile = await hashes(tileLevel, Math.floor(first / TILE_SIZE));
    const part = tile.slice(first % TILE_SIZE, (first % TILE_SIZE) + width);
    if (part.length < width)
      throw new CorruptLedgerTree(`level ${level} of the ledger tree has no hash ${index}`);
    return merkleTreeOf(tileLevel, part).root();
  };

  /** The tile of the last leaf up to the position. */
  const tileBefore = async (position: Position): Promise<LeafTile | null> => {
    await ready();
    const { documents: found } = await documents.find<LeafTile>(LEDGER_TREE_LEAVES.name, {
      filter: { first: { lte: position } },
      order: [['first', 'desc']],
      limit: 1,
    });
    return found[0] ?? null;
  };

  return { ready, hashes, subtreeRoot, tileBefore };
}
