import { Chain } from '../../contracts/seal/chain';
import type { History } from '../../contracts/seal/growing-seal';
import { foldEdge, type GrowingTree } from '../../contracts/seal/merkle';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Write } from '../../contracts/ports/documents';
import {
  leafTileId,
  nodeTileId,
  SEAL_LEAVES,
  SEAL_NODES,
  TILE,
  treeOf,
  type LeafTile,
  type NodeTile,
} from './tiles';

/** The tile of a level that is being filled. */
interface Filling {
  index: number;
  hashes: Buffer[];
  tree: GrowingTree;
}

/** What a seal was when it was written down last: how many events, the chain, and the tile at the edge of each level. */
export interface StoredEdge {
  readonly size: number;
  readonly head: Buffer;
  readonly position: Position;
  /** By level; of a level whose last tile is full, the empty one behind it. */
  readonly hashes: readonly (readonly Buffer[])[];
  readonly positions: readonly Position[];
  readonly before: Buffer;
}

/** The growing side of a seal: takes digests, and gives the tiles that they changed. */
export class Edge {
  readonly #levels: Filling[];
  readonly #chain: Chain;
  #positions: Position[];
  #before: Buffer;
  #size: number;
  #position: Position;
  /** Full tiles that are not written down yet, and the levels whose last tile has changed. */
  #full: Write[] = [];
  readonly #touched = new Set<number>();

  constructor(stored: StoredEdge | null) {
    this.#size = stored?.size ?? 0;
    this.#position = stored?.position ?? BEGINNING;
    this.#chain = new Chain(stored?.head);
    this.#positions = [...(stored?.positions ?? [])];
    this.#before = stored?.before ?? this.#chain.head;
    this.#levels = (stored?.hashes ?? [[]]).map((hashes, level) => ({
      index: Math.floor(this.#size / TILE ** (level + 1)),
      hashes: [...hashes],
      tree: treeOf(level, hashes),
    }));
  }

  get size(): number {
    return this.#size;
  }

  add(digest: Buffer, position: Position): void {
    const leaves = this.#levels[0]!;
    if (leaves.hashes.length === 0) this.#before = this.#chain.head;
    this.#chain.add(digest);
    this.#positions.push(position);
    leaves.hashes.push(digest);
    leaves.tree.add(digest);
    this.#touched.add(0);
    this.#size++;
    this.#position = position;
    for (let level = 0; this.#levels[level]!.hashes.length === TILE; level++) this.#rise(level);
  }

  now(): History {
    const edge = this.#levels.flatMap((_, i) => this.#levels.at(-1 - i)!.tree.edge());
    return {
      size: this.#size,
      position: this.#position,
      head: this.#chain.head.toString('hex'),
      root: foldEdge(edge).toString('hex'),
    };
  }

  /** The tiles that changed since the last call. */
  changes(): Write[] {
    const touched = [...this.#touched].map(level => this.#tile(level));
    const writes = [...this.#full, ...touched];
    this.#full = [];
    this.#touched.clear();
    return writes;
  }

  /** The tile is full: it is written for good, and its root stands in the level above. */
  #rise(level: number): void {
    this.#full.push(this.#tile(level));
    this.#touched.delete(level);
    const full = this.#levels[level]!;
    const above = (this.#levels[level + 1] ??= { index: 0, hashes: [], tree: treeOf(level + 1, []) });
    const root = full.tree.root();
    above.hashes.push(root);
    above.tree.addSubtree(0, root);
    this.#touched.add(level + 1);
    this.#levels[level] = { index: full.index + 1, hashes: [], tree: treeOf(level, []) };
    if (level === 0) this.#positions = [];
  }

  #tile(level: number): Write {
    const { index, hashes } = this.#levels[level]!;
    const content = Buffer.concat(hashes).toString('base64');
    if (level > 0) {
      const _id = nodeTileId(level, index);
      const document: NodeTile = { _id, roots: content };
      return { collection: SEAL_NODES.name, id: _id, document };
    }
    const _id = leafTileId(index);
    const document: LeafTile = {
      _id,
      first: this.#positions[0]!,
      positions: [...this.#positions],
      digests: content,
      before: this.#before.toString('hex'),
    };
    return { collection: SEAL_LEAVES.name, id: _id, document };
  }
}
