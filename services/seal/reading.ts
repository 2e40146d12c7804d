import { LRUCache } from 'lru-cache';
import { Chain, FIRST_HEAD } from '../../contracts/seal/chain';
import type { History } from '../../contracts/seal/growing-seal';
import { EMPTY_ROOT, rangeRoot, type SubtreeRoot } from '../../contracts/seal/merkle';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Documents } from '../../contracts/ports/documents';
import type { StoredEdge } from './edge';
import {
  hashesOf,
  leafTileId,
  nodeTileId,
  SEAL_COLLECTIONS,
  SEAL_LEAVES,
  SEAL_NODES,
  SEALED,
  TILE,
  TILE_LEVELS,
  treeOf,
  type LeafTile,
  type NodeTile,
} from './tiles';

/** What is sealed: reads few documents, however long the history. */
export interface SealReading {
  /** Up to which position of the store all events of the ledger are sealed. */
  sealedTo(): Promise<Position>;
  /** What the ledger comes to at a position that is sealed. */
  historyAt(position: Position): Promise<History>;
  /** The index of the leaf of the event at the position; null when it is no event of the ledger. */
  leafAt(position: Position): Promise<number | null>;
  readonly subtree: SubtreeRoot;
  /** All tiles of leaves, in order. */
  leafTiles(): AsyncIterable<LeafTile>;
  /** For the sealer: where it goes on. Null before the first time. */
  edge(): Promise<{ readonly position: Position; readonly stored: StoredEdge | null } | null>;
  /** Waits for the seal to go on, at most some milliseconds. */
  changed(timeout: number): Promise<void>;
}

/** Full tiles kept in memory: they never change. */
const KEPT = 256;

/** Tiles that a sealed position asks for and that are not there: the documents were changed by somebody else. */
export class BrokenSeal extends Error {
  override readonly name = 'BrokenSeal';
}

export function readSeal(documents: Documents): SealReading {
  const kept = new LRUCache<string, readonly Buffer[]>({ max: KEPT });
  let declared: Promise<void> | null = null;

  const ready = (): Promise<void> =>
    (declared ??= documents.declare(SEAL_COLLECTIONS).catch((error: unknown) => {
      declared = null;
      throw error;
    }));

  const leafTile = (index: number) => documents.get<LeafTile>(SEAL_LEAVES.name, leafTileId(index));

  const hashes = async (level: number, index: number): Promise<readonly Buffer[]> => {
    const id = nodeTileId(level, index);
    const known = kept.get(id);
    if (known) return known;
    const tile = level === 0 ? await leafTile(index) : await documents.get<NodeTile>(SEAL_NODES.name, id);
    const found = tile ? hashesOf(tile) : [];
    if (found.length === TILE) kept.set(id, found);
    return found;
  };

  const subtree: SubtreeRoot = async (level, index) => {
    await ready();
    const tileLevel = Math.floor(level / TILE_LEVELS);
    const width = 2 ** (level % TILE_LEVELS);
    const first = index * width;
    const tile = await hashes(tileLevel, Math.floor(first / TILE));
    const part = tile.slice(first % TILE, (first % TILE) + width);
    if (part.length < width) throw new BrokenSeal(`level ${level} of the seal has no hash ${index}`);
    return treeOf(tileLevel, part).root();
  };

  /** The tile in which the last leaf up to the position lies. */
  const tileBefore = async (position: Position): Promise<LeafTile | null> => {
    await ready();
    const { documents: found } = await documents.find<LeafTile>(SEAL_LEAVES.name, {
      filter: { first: { lte: position } },
      order: [['first', 'desc']],
      limit: 1,
    });
    return found[0] ?? null;
  };

  const sealedTo = async (): Promise<Position> => {
    await ready();
    const checkpoint = await documents.checkpoint(SEALED);
    return checkpoint && 'position' in checkpoint ? checkpoint.position : BEGINNING;
  };

  return {
    sealedTo,
    subtree,

    async historyAt(position) {
      const tile = await tileBefore(position);
      if (!tile) return NOTHING;
      const count = countUpTo(tile.positions, position);
      const chain = new Chain(Buffer.from(tile.before, 'hex'));
      for (const digest of hashesOf(tile).slice(0, count)) chain.add(digest);
      const size = Number(tile._id) * TILE + count;
      const root = await rangeRoot(0, size, subtree);
      return {
        size,
        position: tile.positions[count - 1]!,
        head: chain.head.toString('hex'),
        root: root.toString('hex'),
      };
    },

    async leafAt(position) {
      const tile = await tileBefore(position);
      const at = tile?.positions.indexOf(position) ?? -1;
      return at < 0 ? null : Number(tile!._id) * TILE + at;
    },

    async *leafTiles() {
      await ready();
      for await (const page of documents.scan<LeafTile>(SEAL_LEAVES.name, { limit: 64 })) yield* page;
    },

    async edge() {
      await ready();
      const checkpoint = await documents.checkpoint(SEALED);
      if (!checkpoint || !('position' in checkpoint)) return null;
      const last = await tileBefore(Number.MAX_SAFE_INTEGER);
      return { position: checkpoint.position, stored: last && (await storedEdge(last)) };
    },

    async changed(timeout) {
      await ready();
      await documents.changed([SEAL_LEAVES.name], timeout);
    },
  };

  async function storedEdge(last: LeafTile): Promise<StoredEdge> {
    const digests = hashesOf(last);
    const size = Number(last._id) * TILE + digests.length;
    const chain = new Chain(Buffer.from(last.before, 'hex'));
    for (const digest of digests) chain.add(digest);
    const filled: Buffer[][] = [digests.length === TILE ? [] : digests];
    for (let level = 1, count = Math.floor(size / TILE); count > 0; level++, count = Math.floor(count / TILE))
      filled.push(count % TILE === 0 ? [] : [...(await hashes(level, Math.floor(count / TILE)))]);
    return {
      size,
      head: chain.head,
      position: last.positions.at(-1)!,
      hashes: filled,
      positions: digests.length === TILE ? [] : last.positions,
      before: digests.length === TILE ? chain.head : Buffer.from(last.before, 'hex'),
    };
  }
}

const NOTHING: History = {
  size: 0,
  position: BEGINNING,
  head: FIRST_HEAD.toString('hex'),
  root: EMPTY_ROOT.toString('hex'),
};

/** How many of ascending positions are not beyond the one given. */
function countUpTo(positions: readonly Position[], position: Position): number {
  const beyond = positions.findIndex(each => each > position);
  return beyond < 0 ? positions.length : beyond;
}
