import { type Cell, beginCell } from '@ton/core';

/**
 * In place of a cell of level 0 that is left out: `pruned branch`, type 1, level mask 1, hash, depth. Source: the TVM whitepaper,
 * section 3.1.
 */
export function prunedBranch(hash: Buffer, depth: number): Cell {
  return beginCell().storeUint(0x0101, 16).storeBuffer(hash).storeUint(depth, 16).endCell({ exotic: true });
}
