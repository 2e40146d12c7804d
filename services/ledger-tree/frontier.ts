import { HashChain } from '../../contracts/ledger-tree/hash-chain';
import type { TreeHead } from '../../contracts/ledger-tree/tree-head';
import { rootOfSubtrees, type MerkleTree } from '../../contracts/ledger-tree/merkle-tree';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Write } from '../../contracts/ports/documents';
import {
  leafTileId,
  nodeTileId,
  LEDGER_TREE_LEAVES,
  LEDGER_TREE_NODES,
  TILE_SIZE,
  merkleTreeOf,
  type LeafTile,
  type NodeTile,
} from './tiles';

/** The last tile of a level, not full yet. */
interface OpenTile {
  index: number;
  hashes: Buffer[];
  tree: MerkleTree;
}

/** The stored frontier: number of events, head of the hash chain, and the last tile of each level. */
export interface StoredFrontier {
  readonly size: number;
  readonly head: Buffer;
  readonly position: Position;
  /** By level; empty for a level whose last tile is full. */
  readonly hashes: readonly (readonly Buffer[])[];
  readonly positions: readonly Position[];
  readonly before: Buffer;
}

/** The right edge of the stored tree: appends digests, and returns the tiles that changed. */
export class TreeFrontier {
  readonly #levels: OpenTile[];
  readonly #chain: HashChain;
  #positions: Position[];
  #before: Buffer;
  #size: number;
  #position: Position;
  /** Full tiles that are not stored yet, and the levels whose last tile has changed. */
  #full: Write[] = [];
  readonly #changed = new Set<number>();

  constructor(stored: StoredFrontier | null) {
    this.#size = stored?.size ?? 0;
    this.#position = stored?.position ?? BEGINNING;
    this.#chain = new HashChain(stored?.head);
    this.#positions = [...(stored?.positions ?? [])];
    this.#before = stored?.before ?? this.#chain.head;
    this.#levels = (stored?.hashes ?? [[]]).map((hashes, level) => ({
      index: Math.floor(this.#size / TILE_SIZE ** (level + 1)),
      hashes: [...hashes],
      tree: merkleTreeOf(level, hashes),
    }));
  }

  get size(): number {
    return this.#size;
  }

  append(digest: Buffer, position: Position): void {
    const leaves = this.#levels[0]!;
    if (leaves.hashes.length === 0) this.#before = this.#chain.head;
    this.#chain.append(digest);
    this.#positions.push(position);
    leaves.hashes.push(digest);
    leaves.tree.append(digest);
    this.#changed.add(0);
    this.#size++;
    this.#position = position;
    for (let level = 0; this.#levels[level]!.hashes.length === TILE_SIZE; level++) this.#closeTile(level);
  }

  head(): TreeHead {
    const roots = this.#levels.flatMap((_, i) => this.#levels.at(-1 - i)!.tree.subtreeRoots());
    return {
      size: this.#size,
      position: this.#position,
      head: this.#chain.head.toString('hex'),
      root: rootOfSubtrees(roots).toString('hex'),
    };
  }

  /** The tiles that changed since the last call. */
  takeChanges(): Write[] {
    const changed = [...this.#changed].map(level => this.#tile(level));
    const writes = [...this.#full, ...changed];
    this.#full = [];
    this.#changed.clear();
    return writes;
  }

  /** A full tile never changes again; its root is appended to the level above. */
  #closeTile(level: number): void {
    this.#full.push(this.#tile(level));
    this.#changed.delete(level);
    const full = this.#levels[level]!;
    const above = (this.#levels[level + 1] ??= { index: 0, hashes: [], tree: merkleTreeOf(level + 1, []) });
    const root = full.tree.root();
    above.hashes.push(root);
    above.tree.appendSubtree(0, root);
    this.#changed.add(level + 1);
    this.#levels[level] = { index: full.index + 1, hashes: [], tree: merkleTreeOf(level, []) };
    if (level === 0) this.#positions = [];
  }

  #tile(level: number): Write {
    const { index, hashes } = this.#levels[level]!;
    const content = Buffer.concat(hashes).toString('base64');
    if (level > 0) {
      const _id = nodeTileId(level, index);
      const document: NodeTile = { _id, roots: content };
      return { collection: LEDGER_TREE_NODES.name, id: _id, document };
    }
    const _id = leafTileId(index);
    const document: LeafTile = {
      _id,
      first: this.#positions[0]!,
      positions: [...this.#positions],
      digests: content,
      before: this.#before.toString('hex'),
    };
    return { collection: LEDGER_TREE_LEAVES.name, id: _id, document };
  }
}
