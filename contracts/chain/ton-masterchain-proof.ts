import type { Cell } from '@ton/core';
import { openBlock } from './ton-block-cells';
import { bitsOf, seek } from './ton-hashmap';
import { type FindInBlock, findProven, merkleProof } from './ton-merkle-proof';

/** That a block of the masterchain stands for a block of a shard: Merkle proofs. */
export interface MasterchainProof {
  /** Which block of the shard the block of the masterchain names. */
  readonly masterchain: Cell;
  /** From that one back: of each block, which one was before it. Empty when the named block is the one. */
  readonly previous: readonly Cell[];
}

/** A block of the masterchain, as it says itself. */
export interface MasterchainBlockInfo {
  /** Of its network. */
  readonly globalId: number;
  readonly seqno: number;
  /** Unix seconds. */
  readonly utime: number;
}

/** Steps from the block that a block of the masterchain names back to another one. */
export const MAX_PREVIOUS = 16;

const MASTERCHAIN = -1;
const MASTERCHAIN_EXTRA = 0xcca5;
/** `shard_descr#b` and `shard_descr_new#a`, which begin the same way. */
const SHARD_DESCRIPTIONS: readonly number[] = [0xa, 0xb];

interface NamedBlock extends MasterchainBlockInfo {
  /** Of the newest block of the shard. */
  readonly named: Buffer;
}

/**
 * The newest block of the shard that has an account, by `masterchain_block_extra#cca5` and `BinTree ShardDescr` of block.tlb: the
 * first bits of the account lead to it.
 * @param account raw address
 */
const blockNamedFor =
  (account: string): FindInBlock<NamedBlock> =>
  (block, open) => {
    const [workchain, id] = account.split(':') as [string, string];
    const { globalId, workchain: own, seqno, utime, openExtra } = openBlock(block, open);
    if (own !== MASTERCHAIN) return null;
    const extra = openExtra();
    // in_msg_descr, out_msg_descr, account_blocks
    for (let skipped = 0; skipped < 3; skipped += 1) extra.loadRef();
    // rand_seed, created_by
    if (!extra.skip(256 + 256).loadBit()) return null;
    // key_block
    const custom = open(extra.loadRef(), MASTERCHAIN_EXTRA, 16).skip(1);
    if (!custom.loadBit()) return null;
    const key = bitsOf(BigInt.asUintN(32, BigInt(workchain)), 32);
    const ofWorkchain = seek(open(custom.loadRef()), key, open);
    if (!ofWorkchain) return null;
    const bits = bitsOf(BigInt(`0x${id}`), 256);
    let tree = open(ofWorkchain.loadRef());
    for (let at = 0; tree.loadBit(); at += 1) {
      const branches = [tree.loadRef(), tree.loadRef()] as const;
      tree = open(branches[Number(bits[at])]!);
    }
    if (!SHARD_DESCRIPTIONS.includes(tree.loadUint(4))) throw new Error('not the description of a shard');
    // seq_no, reg_mc_seqno, start_lt, end_lt
    return { globalId, seqno, utime, named: tree.skip(32 + 32 + 64 + 64).loadBuffer(32) };
  };

/** Root hashes of the blocks before a block: two after a merge. */
const blocksBefore: FindInBlock<readonly Buffer[]> = (block, open) => {
  const { previous, isAfterMerge } = openBlock(block, open);
  const both = isAfterMerge ? open(previous) : null;
  const cells = both ? [both.loadRef(), both.loadRef()] : [previous];
  // `ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256`
  return cells.map(cell =>
    open(cell)
      .skip(64 + 32)
      .loadBuffer(32),
  );
};

/** What is to be proven: that the block of this root hash, which has an account (raw address), is in the masterchain. */
export interface BlockOfAccount {
  readonly account: string;
  readonly rootHash: Buffer;
}

/**
 * Null when the block of the masterchain does not name the block of the account, nor one that follows it at a short distance.
 * @param masterchain whole
 * @param blockOf the whole block of a root hash, of a shard; null for one that is not known
 * @throws for cells that are no block
 */
export function proveInMasterchain(
  masterchain: Cell,
  blockOf: (rootHash: Buffer) => Cell | null,
  { account, rootHash }: BlockOfAccount,
): MasterchainProof | null {
  const proof = merkleProof(masterchain, blockNamedFor(account));
  if (!proof) return null;
  // Blocks that were split and merged lead to the same ones.
  const tried = new Set<string>();
  const wayBack = (from: Buffer, steps: number): readonly Cell[] | null => {
    if (from.equals(rootHash)) return [];
    const attempt = `${from.toString('hex')} ${steps}`;
    const block = steps < MAX_PREVIOUS && !tried.has(attempt) ? blockOf(from) : null;
    tried.add(attempt);
    if (!block) return null;
    const step = merkleProof(block, blocksBefore)!;
    for (const parent of findProven(step, from, blocksBefore)!) {
      const rest = wayBack(parent, steps + 1);
      if (rest) return [step, ...rest];
    }
    return null;
  };
  const { named } = findProven(proof, masterchain.hash(0), blockNamedFor(account))!;
  const previous = wayBack(named, 0);
  return previous && { masterchain: proof, previous };
}

/**
 * What Merkle proofs prove: that the block of the masterchain with this root hash stands for the block of the account. Null when
 * they do not prove it. They say nothing of whether validators have signed that block of the masterchain.
 * @param masterchainHash representation hash of the block of the masterchain
 */
export function provenInMasterchain(
  { masterchain, previous }: MasterchainProof,
  masterchainHash: Buffer,
  { account, rootHash }: BlockOfAccount,
): MasterchainBlockInfo | null {
  const found = findProven(masterchain, masterchainHash, blockNamedFor(account));
  if (!found || previous.length > MAX_PREVIOUS) return null;
  let known: readonly Buffer[] = [found.named];
  for (const step of previous) {
    const block = known.find(hash => step.refs[0]?.hash(0).equals(hash));
    const before = block && findProven(step, block, blocksBefore);
    if (!before) return null;
    known = before;
  }
  if (!known.some(hash => hash.equals(rootHash))) return null;
  const { globalId, seqno, utime } = found;
  return { globalId, seqno, utime };
}
