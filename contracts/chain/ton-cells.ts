import { Cell } from '@ton/core';

/** Of a message (configuration parameter 43: `max_msg_cells`). */
const MAX_CELLS = 8_192;

/** The root of a bag of cells that has one, which is an ordinary cell; null when it is anything else. */
export function singleRoot(boc: Buffer): Cell | null {
  try {
    const [root, ...others] = Cell.fromBoc(boc);
    return root && others.length === 0 && !root.isExotic ? root : null;
  } catch {
    return null;
  }
}

/**
 * Whether a tree of cells has no more of them than a message may have, each counted as often as it is used. A decoder that
 * follows every reference, as that of dictionaries and tuples, reads so many: a few hundred cells that use each other twice are
 * more than it can ever read.
 */
export function isSmallTree(root: Cell): boolean {
  const sizes = new Map<Cell, number>();
  const sizeOf = (cell: Cell): number => {
    const known = sizes.get(cell);
    if (known !== undefined) return known;
    const size = cell.refs.reduce((sum, ref) => sum + sizeOf(ref), 1);
    sizes.set(cell, size);
    return size;
  };
  return sizeOf(root) <= MAX_CELLS;
}
