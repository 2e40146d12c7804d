import { MerkleTree } from '../../contracts/ledger-tree/merkle-tree';
import { splitDigests } from '../../contracts/ledger-tree/subtree-roots';
import { BEGINNING, type Position } from '../../contracts/position';
import type { CollectionSpec, Document, Documents } from '../../contracts/ports/documents';

/*
 * The ledger tree is stored in documents as tiles of 256 hashes, after C2SP's tlog-tiles: the leaves in one collection,
 * and above them, level by level, the roots of full tiles. A full tile never changes. A proof needs one or two tiles of
 * each level, and a billion events have four levels.
 */

/** Hashes in a full tile, and the levels of the Merkle tree it spans. */
export const TILE_SIZE = 256;
export const TILE_LEVELS = 8;

/** Digests of events, their positions, and the head of the hash chain before the first of them. */
export type LeafTile = Document & {
  readonly first: Position;
  readonly positions: Position[];
  readonly digests: string;
  readonly before: string;
};

/** Roots of full tiles of the level below. */
export type NodeTile = Document & { readonly roots: string };

export const LEDGER_TREE_LEAVES: CollectionSpec = {
  name: 'ledger_tree_leaves',
  indexes: [{ fields: [['first', 'desc']] }],
};
export const LEDGER_TREE_NODES: CollectionSpec = { name: 'ledger_tree_nodes', indexes: [] };
export const LEDGER_TREE_COLLECTIONS = [LEDGER_TREE_LEAVES, LEDGER_TREE_NODES];

/** Name of the documents' checkpoint: the store position up to which all events of the ledger are in the tree. */
export const LEDGER_TREE_POSITION = 'ledger_tree';

/** Name of the documents' checkpoint: the position up to which the events of the store were counted and compared with the tree. */
export const LEDGER_TREE_COMPARED = 'ledger_tree_compared';

/** Ids that sort as their numbers. */
export function leafTileId(index: number): string {
  return String(index).padStart(12, '0');
}
export function nodeTileId(level: number, index: number): string {
  return `${level}.${leafTileId(index)}`;
}

/** @param level of tiles: 0 holds leaves */
export function merkleTreeOf(level: number, hashes: readonly Buffer[]): MerkleTree {
  const tree = new MerkleTree();
  for (const hash of hashes) {
    if (level === 0) tree.append(hash);
    else tree.appendSubtree(0, hash);
  }
  return tree;
}

/** A tile that should exist is missing or malformed: the documents were changed by something else. */
export class CorruptLedgerTree extends Error {
  override readonly name = 'CorruptLedgerTree';
}

/** @throws CorruptLedgerTree */
export function hashesOf(tile: LeafTile | NodeTile): Buffer[] {
  const hashes = splitDigests(('roots' in tile ? tile.roots : tile.digests) as string);
  if (!hashes) throw new CorruptLedgerTree(`tile ${tile._id} of the ledger tree is malformed`);
  return hashes;
}

/** Empties the ledger tree, so that its builder builds it again from the events of the store. No builder may run meanwhile. */
export async function resetLedgerTree(documents: Documents): Promise<void> {
  for (const { name } of LEDGER_TREE_COLLECTIONS) await documents.drop(name);
  for (const name of [LEDGER_TREE_POSITION, LEDGER_TREE_COMPARED])
    await documents.commit({ writes: [], checkpoint: { name, value: { position: BEGINNING } } });
}
