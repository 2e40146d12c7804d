import { Cell } from '@ton/core';
import { startLtAfter } from '../block';
import type { Ledger } from '../ledger';
import { nextBlock } from './next-block';

/**
 * The cells of a stored block of the masterchain and of the blocks of shards that it names, by their root hashes in base64. They
 * follow from what is stored. Empty for a block that an earlier version made without cells; one that made other cells had other
 * root hashes.
 */
export function storedBlocks(ledger: Ledger, globalId: number, seqno: number): ReadonlyMap<string, Cell> {
  const block = ledger.block(seqno);
  const previous = ledger.block(seqno - 1);
  if (!block || !previous || block.branch === null) return new Map();
  const transactions = ledger
    .bagsOf(seqno)
    .map(({ account, lt, boc }) => ({ account, lt, cell: Cell.fromBoc(boc)[0]! }));
  const { utime, endLt, branch, shards } = block;
  const startLt = startLtAfter(previous);
  const { cells } = nextBlock(previous, { globalId, utime, startLt, endLt, branch, shards, transactions });
  return new Map(cells.map(cell => [cell.hash().toString('base64'), cell]));
}
