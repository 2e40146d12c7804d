import { type Builder, type Cell, type CurrencyCollection, Dictionary, beginCell } from '@ton/core';
import { type Augmentation, storeAugmentedOrEmpty } from './augmented-dictionary';
import type { BlockRef, MasterchainContent } from './block-cell';
import { CURRENCIES } from './currencies';

/** The newest block of a shard of the basechain, as a block of the masterchain names it. */
export interface ShardTip {
  /** 16 hex digits. */
  readonly shard: string;
  readonly ref: BlockRef;
  readonly startLt: number;
  /** Of all its blocks since the last one of the masterchain. */
  readonly fees: CurrencyCollection;
}

/** The block of the masterchain that names them. */
interface NamingBlock {
  readonly seqno: number;
  readonly utime: number;
}

const BASECHAIN = 0;

/** `ShardFeeCreated`: fees, and what was created, which is nothing. */
const FEES: Augmentation<CurrencyCollection> = {
  ...CURRENCIES,
  store(fees, to) {
    CURRENCIES.store(fees, to);
    CURRENCIES.store(CURRENCIES.zero, to);
  },
};

/** `shard_descr_new#a` of block.tlb. */
function storeShard(to: Builder, { shard, ref, startLt, fees }: ShardTip, by: NamingBlock): void {
  const amounts = beginCell();
  FEES.store(fees, amounts);
  to.storeUint(0xa, 4)
    .storeUint(ref.seqno, 32)
    .storeUint(by.seqno, 32)
    .storeUint(startLt, 64)
    .storeUint(ref.endLt, 64)
    .storeBuffer(ref.rootHash)
    .storeBuffer(ref.fileHash)
    // before_split, before_merge, want_split, want_merge, nx_cc_updated, flags, next_catchain_seqno
    .storeUint(0, 8 + 32)
    .storeUint(BigInt(`0x${shard}`), 64)
    .storeUint(by.seqno - 1, 32)
    .storeUint(by.utime, 32)
    // split_merge_at: none
    .storeBit(false)
    .storeRef(amounts);
}

/** `bt_leaf$0 leaf:X` or `bt_fork$1 left:^(BinTree X) right:^(BinTree X)`: the bits of a shard's prefix lead to it. */
function shardTree(tips: readonly ShardTip[], depth: number, by: NamingBlock): Cell {
  const [first] = tips;
  if (tips.length === 1) {
    const leaf = beginCell().storeBit(false);
    storeShard(leaf, first!, by);
    return leaf.endCell();
  }
  const isRight = ({ shard }: ShardTip): boolean =>
    ((BigInt(`0x${shard}`) >> BigInt(63 - depth)) & 1n) === 1n;
  const half = (right: boolean): Cell =>
    shardTree(
      tips.filter(tip => isRight(tip) === right),
      depth + 1,
      by,
    );
  return beginCell().storeBit(true).storeRef(half(false)).storeRef(half(true)).endCell();
}

/**
 * `masterchain_block_extra#cca5` of block.tlb, of a block that is no key block: the newest block of every shard of the
 * basechain, and the fees of each.
 * @param tips the shards, which make up the whole basechain
 */
export function masterchainExtra(tips: readonly ShardTip[], by: NamingBlock): MasterchainContent {
  const shards = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  shards.set(BASECHAIN, shardTree(tips, 0, by));
  const extra = beginCell().storeUint(0xcca5, 16).storeBit(false).storeDict(shards);
  const fees = tips.map(tip => ({
    key: (BigInt(BASECHAIN) << 64n) | BigInt(`0x${tip.shard}`),
    extra: tip.fees,
    store: (to: Builder) => FEES.store(tip.fees, to),
  }));
  const feesImported = storeAugmentedOrEmpty(extra, 96, fees, FEES);
  // Neither signatures of the previous block nor messages that recover fees or mint.
  return { extra: extra.storeRef(beginCell().storeUint(0, 3)).endCell(), feesImported };
}
