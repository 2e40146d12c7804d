import type { Cell, Slice } from '@ton/core';
import type { OpenCell } from './ton-merkle-proof';

const BLOCK = 0x11ef55aa;
const BLOCK_INFO = 0x9bc7a987;
const BLOCK_EXTRA = 0x4a33f6fd;

/** A block, as far as `block#11ef55aa` and `block_info#9bc7a987` of block.tlb say it. */
export interface OpenedBlock {
  /** Of its network. */
  readonly globalId: number;
  readonly workchain: number;
  /** In its shard. */
  readonly seqno: number;
  /** Unix seconds. */
  readonly utime: number;
  /** The block before it: `ExtBlkRef`; after a merge two references to such. */
  readonly previous: Cell;
  readonly isAfterMerge: boolean;
  /** Opens `block_extra#4a33f6fd`: what follows are its references. */
  openExtra(): Slice;
}

/** @throws for cells that are no block, or are pruned on the way */
export function openBlock(block: Cell, open: OpenCell): OpenedBlock {
  const root = open(block, BLOCK, 32);
  const globalId = root.loadInt(32);
  const info = open(root.loadRef(), BLOCK_INFO, 32);
  // version
  const isShard = info.skip(32).loadBit();
  const isAfterMerge = info.loadBit();
  // The flags up to `flags:(## 8)`.
  const seqno = info.skip(6 + 8).loadUint(32);
  // vert_seq_no, and the shard up to its workchain
  const workchain = info.skip(32 + 8).loadInt(32);
  const utime = info.skip(64).loadUint(32);
  // master_ref
  if (isShard) info.loadRef();
  const previous = info.loadRef();
  // value_flow, state_update
  root.loadRef();
  root.loadRef();
  const extra = root.loadRef();
  return {
    globalId,
    workchain,
    seqno,
    utime,
    previous,
    isAfterMerge,
    openExtra: () => open(extra, BLOCK_EXTRA, 32),
  };
}
