import './ton-cells-copied';
import { type Cell, CellType, type Slice, beginCell } from '@ton/core';
import { prunedBranch } from './ton-pruned-branch';

/** Opens a cell on the way to what is looked for. @throws when it is pruned, or does not begin with the tag */
export type OpenCell = (cell: Cell, tag?: number, tagBits?: number) => Slice;

/** Looks for something in a block, by the cells that it opens; null when the block does not have it. */
export type FindInBlock<Found> = (block: Cell, open: OpenCell) => Found | null;

function opening(follow: (cell: Cell) => void): OpenCell {
  return (cell, tag = 0, tagBits = 0) => {
    follow(cell);
    const slice = cell.beginParse();
    if (tagBits > 0 && slice.loadUint(tagBits) !== tag) throw new Error('not the cells of a block');
    return slice;
  };
}

/**
 * A Merkle proof of what a block has: the block with nothing but the way to it; null when the block does not have it.
 * @param block whole
 * @param wholeOf a cell that stays whole with everything below it; default: none
 * @throws for cells that are no block
 */
export function merkleProof<Found>(
  block: Cell,
  find: FindInBlock<Found>,
  wholeOf: (found: Found) => Cell | null = () => null,
): Cell | null {
  const onTheWay = new Set<Cell>();
  const found = find(
    block,
    opening(cell => onTheWay.add(cell)),
  );
  if (found === null) return null;
  const whole = wholeOf(found);
  const keep = (cell: Cell): Cell => {
    if (cell === whole) return cell;
    if (!onTheWay.has(cell)) return prunedBranch(cell.hash(0), cell.depth(0));
    const copy = beginCell().storeBits(cell.bits);
    for (const ref of cell.refs) copy.storeRef(keep(ref));
    return copy.endCell();
  };
  // `!merkle_proof#03 virtual_hash:bits256 depth:uint16 virtual_root:^X`
  return beginCell()
    .storeUint(3, 8)
    .storeBuffer(block.hash(0))
    .storeUint(block.depth(0), 16)
    .storeRef(keep(block))
    .endCell({ exotic: true });
}

/**
 * What a Merkle proof proves of the block with this root hash; null when it does not prove it. It says nothing of whether the
 * network has this block.
 * @param rootHash representation hash of the block
 */
export function findProven<Found>(proof: Cell, rootHash: Buffer, find: FindInBlock<Found>): Found | null {
  if (proof.type !== CellType.MerkleProof) return null;
  const block = proof.refs[0]!;
  if (!block.hash(0).equals(rootHash)) return null;
  try {
    return find(
      block,
      opening(() => {}),
    );
  } catch {
    return null;
  }
}
