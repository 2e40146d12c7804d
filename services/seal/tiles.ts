import { digestsIn } from '../../contracts/seal/ladder';
import { GrowingTree } from '../../contracts/seal/merkle';
import type { Position } from '../../contracts/position';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';

/*
 * The seal lies in documents as tiles of 256 hashes, after C2SP's tlog-tiles: the leaves in one collection, above them,
 * level by level, the roots of full tiles. A full tile never changes, and what a proof needs lies in one or two tiles
 * of each level, of which a billion events have four.
 */

/** Hashes in a full tile, and the levels of the Merkle tree that it spans. */
export const TILE = 256;
export const TILE_LEVELS = 8;

/** Digests of events, where these stand, and the head of the chain before the first of them. */
export type LeafTile = Document & {
  readonly first: Position;
  readonly positions: Position[];
  readonly digests: string;
  readonly before: string;
};

/** Roots of full tiles of the level below. */
export type NodeTile = Document & { readonly roots: string };

export const SEAL_LEAVES: CollectionSpec = {
  name: 'seal_leaves',
  indexes: [{ fields: [['first', 'desc']] }],
};
export const SEAL_NODES: CollectionSpec = { name: 'seal_nodes', indexes: [] };
export const SEAL_COLLECTIONS = [SEAL_LEAVES, SEAL_NODES];

/** The checkpoint of the documents: up to which position of the store all of the ledger is sealed. */
export const SEALED = 'seal';

export function leafTileId(index: number): string {
  return String(index).padStart(12, '0');
}
export function nodeTileId(level: number, index: number): string {
  return `${level}.${leafTileId(index)}`;
}

/** @param level of tiles: 0 holds leaves */
export function treeOf(level: number, hashes: readonly Buffer[]): GrowingTree {
  const tree = new GrowingTree();
  for (const hash of hashes) {
    if (level === 0) tree.add(hash);
    else tree.addSubtree(0, hash);
  }
  return tree;
}

export function hashesOf(tile: LeafTile | NodeTile): Buffer[] {
  return digestsIn(('roots' in tile ? tile.roots : tile.digests) as string);
}
