import { type Builder, type Cell, type CurrencyCollection, beginCell } from '@ton/core';
import { prunedBranch } from '../../../../../contracts/chain/ton-pruned-branch';
import { sha256 } from '../sha256';
import { shardPrefix } from '../shards';
import { type BlockTransaction, accountBlocks } from './account-blocks';
import { CURRENCIES, isNothing } from './currencies';

/** A block that another one names. */
export interface BlockRef {
  readonly seqno: number;
  readonly endLt: number;
  /** Representation hash of its cell. */
  readonly rootHash: Buffer;
  /** SHA-256 of its bag of cells. */
  readonly fileHash: Buffer;
  /** Names the state after it. */
  readonly stateHash: Buffer;
}

export interface BlockContent {
  readonly globalId: number;
  readonly workchain: 0 | -1;
  /** 16 hex digits. */
  readonly shard: string;
  readonly seqno: number;
  /** Unix seconds. */
  readonly utime: number;
  readonly startLt: number;
  readonly endLt: number;
  readonly seed: Buffer;
  /** The newest block of the masterchain before it. */
  readonly masterchain: BlockRef;
  /** Two after a merge. */
  readonly previous: readonly BlockRef[];
  /** The shard is a half of that of the previous block. */
  readonly isAfterSplit: boolean;
  readonly transactions: readonly BlockTransaction[];
}

/** What only a block of the masterchain has. */
export interface MasterchainContent {
  /** `McBlockExtra` */
  readonly extra: Cell;
  /** Fees of the shards. */
  readonly feesImported: CurrencyCollection;
}

export interface MadeBlock {
  readonly cell: Cell;
  readonly ref: BlockRef;
  /** Of its transactions. */
  readonly fees: CurrencyCollection;
}

/** `ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256` */
export function storeBlockRef({ endLt, seqno, rootHash, fileHash }: BlockRef) {
  return (to: Builder): void =>
    void to.storeUint(endLt, 64).storeUint(seqno, 32).storeBuffer(rootHash).storeBuffer(fileHash);
}

const refCell = (ref: BlockRef): Cell => beginCell().store(storeBlockRef(ref)).endCell();

/** `BlockInfo` of block.tlb. There are no key blocks, and no sets of validators that sign. */
function blockInfo(content: BlockContent): Cell {
  const { workchain, shard, seqno, utime, startLt, endLt, masterchain, previous, isAfterSplit } = content;
  const isShard = workchain !== -1;
  const { bits, prefix } = shardPrefix(shard);
  const [first, second] = previous;
  const info = beginCell()
    .storeUint(0x9bc7a987, 32)
    .storeUint(0, 32)
    .storeBit(isShard)
    .storeBit(previous.length === 2)
    .storeBit(false)
    .storeBit(isAfterSplit)
    // want_split, want_merge, key_block, vert_seqno_incr, flags
    .storeUint(0, 4 + 8)
    .storeUint(seqno, 32)
    .storeUint(0, 32)
    .storeUint(bits, 2 + 6)
    .storeInt(workchain, 32)
    .storeUint(prefix, 64)
    .storeUint(utime, 32)
    .storeUint(startLt, 64)
    .storeUint(endLt, 64)
    // gen_validator_list_hash_short, gen_catchain_seqno
    .storeUint(0, 32 + 32)
    .storeUint(masterchain.seqno, 32)
    .storeUint(0, 32);
  if (isShard) info.storeRef(refCell(masterchain));
  return info
    .storeRef(second ? beginCell().storeRef(refCell(first!)).storeRef(refCell(second)) : refCell(first!))
    .endCell();
}

/** `^[...]` of four amounts. */
function amounts(first: CurrencyCollection): Cell {
  const cell = beginCell();
  for (const amount of [first, ...Array<CurrencyCollection>(3).fill(CURRENCIES.zero)])
    CURRENCIES.store(amount, cell);
  return cell.endCell();
}

const NO_AMOUNTS = amounts(CURRENCIES.zero);

/** `value_flow#b8e48dfb` of block.tlb with the fees alone: balances of shards are not counted. */
function valueFlow(fees: CurrencyCollection, feesImported: CurrencyCollection): Cell {
  const flow = beginCell().storeUint(0xb8e48dfb, 32).storeRef(NO_AMOUNTS);
  CURRENCIES.store(CURRENCIES.add(fees, feesImported), flow);
  return flow.storeRef(isNothing(feesImported) ? NO_AMOUNTS : amounts(feesImported)).endCell();
}

/** Only its hash is known. */
const unknownState = (hash: Buffer): Cell => prunedBranch(hash, 0);

/**
 * `!merkle_update#04 old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^X new:^X`, both pruned: the
 * network has its accounts one by one, not as a tree of cells. The hashes name the states before and after the block.
 */
const stateUpdate = (before: Buffer, after: Buffer): Cell =>
  beginCell()
    .storeUint(4, 8)
    .storeBuffer(before)
    .storeBuffer(after)
    .storeUint(0, 32)
    .storeRef(unknownState(before))
    .storeRef(unknownState(after))
    .endCell({ exotic: true });

/** `created_by` */
const NOBODY = Buffer.alloc(32);

/** `InMsgDescr` without entries, augmented by `import_fees$_ fees_collected:Grams value_imported:CurrencyCollection`. */
const NO_MESSAGES_IN = beginCell()
  .storeBit(false)
  .storeUint(0, 4 + 4 + 1)
  .endCell();
/** `OutMsgDescr` without entries. */
const NO_MESSAGES_OUT = beginCell()
  .storeBit(false)
  .storeUint(0, 4 + 1)
  .endCell();

/**
 * A block as cells: `block#11ef55aa` of block.tlb with its transactions. Descriptors of messages are empty: they say nothing
 * that the transactions do not.
 */
export function makeBlock(content: BlockContent, masterchain?: MasterchainContent): MadeBlock {
  const { globalId, seqno, endLt, seed, previous, transactions } = content;
  const accounts = accountBlocks(transactions);
  const before =
    previous.length === 1 ? previous[0]!.stateHash : sha256('merged', ...previous.map(ref => ref.stateHash));
  const after = sha256('state', before, accounts.cell.hash());
  const extra = beginCell()
    .storeUint(0x4a33f6fd, 32)
    .storeRef(NO_MESSAGES_IN)
    .storeRef(NO_MESSAGES_OUT)
    .storeRef(accounts.cell)
    .storeBuffer(seed)
    .storeBuffer(NOBODY)
    .storeMaybeRef(masterchain?.extra);
  const cell = beginCell()
    .storeUint(0x11ef55aa, 32)
    .storeInt(globalId, 32)
    .storeRef(blockInfo(content))
    .storeRef(valueFlow(accounts.fees, masterchain?.feesImported ?? CURRENCIES.zero))
    .storeRef(stateUpdate(before, after))
    .storeRef(extra)
    .endCell();
  const fileHash = sha256(cell.toBoc());
  return {
    cell,
    ref: { seqno, endLt, rootHash: cell.hash(), fileHash, stateHash: after },
    fees: accounts.fees,
  };
}
