import type { BlockRef } from './block-cells/block-cell';
import { sha256 } from './sha256';
import { type BlockHashes, type ShardBlock, WHOLE, holds, shardAsInt64 } from './shards';

/** A masterchain block as it is stored. */
export interface Block extends BlockRef {
  /** Unix seconds. */
  readonly utime: number;
  /** Number of rollbacks before it; null when it has no cells: the zero state, and blocks that an earlier version made. */
  readonly branch: number | null;
  readonly shards: readonly ShardBlock[];
}

/** A block's id as the v4 API writes it; hashes in base64. */
export interface BlockId {
  readonly workchain: number;
  readonly seqno: number;
  readonly shard: string;
  readonly rootHash: string;
  readonly fileHash: string;
}

/** Root hash of the zero state: two networks, or two instances of one, never share a block. */
export function zeroStateHash(network: string, utime: number): Buffer {
  return sha256(`tidemark local ${network} ${utime}`);
}

/** The other hashes of what has no cells. */
export function hashesWithoutCells(rootHash: Buffer): Pick<BlockRef, 'rootHash' | 'fileHash' | 'stateHash'> {
  const fileHash = sha256('file', rootHash);
  return { rootHash, fileHash, stateHash: sha256('file', fileHash) };
}

const LT_ALIGN = 1_000_000;

/** Blocks start at whole millions of logical time, as on the real network. */
export function startLtAfter({ endLt }: Block): number {
  return (Math.floor(endLt / LT_ALIGN) + 1) * LT_ALIGN;
}

/** Seed of the randomness of the block after `parent`. @param branch number of rollbacks so far */
export function blockSeed(parent: Buffer, branch: number): Buffer {
  return sha256('seed', parent, `/${branch}/`);
}

function shardRef(block: Block, shard: string, seqno: number, hashes: BlockHashes | undefined): BlockRef {
  const { endLt } = block;
  if (!hashes) return { seqno, endLt, ...hashesWithoutCells(sha256(block.rootHash, `/${shard}/${seqno}`)) };
  const [rootHash, fileHash, stateHash] = [hashes.root, hashes.file, hashes.state].map(hash =>
    Buffer.from(hash, 'base64'),
  ) as [Buffer, Buffer, Buffer];
  return { seqno, endLt, rootHash, fileHash, stateHash };
}

/** The newest block of a shard of the basechain. */
export function shardTip(block: Block, { shard, seqno, hashes }: ShardBlock): BlockRef {
  return shardRef(block, shard, seqno, hashes);
}

const id = (workchain: number, shard: string, { seqno, rootHash, fileHash }: BlockRef): BlockId => ({
  workchain,
  seqno,
  shard: shardAsInt64(shard),
  rootHash: rootHash.toString('base64'),
  fileHash: fileHash.toString('base64'),
});

export function masterchainId(block: Block): BlockId {
  return id(-1, WHOLE, block);
}

export function shardId(block: Block, part: ShardBlock): BlockId {
  return id(0, part.shard, shardTip(block, part));
}

/** A block of a shard, or of the masterchain. */
export interface NamedBlock {
  /** 16 hex digits. */
  readonly shard: string;
  readonly ref: BlockRef;
}

export function masterchainRef(block: Block): NamedBlock {
  return { shard: WHOLE, ref: block };
}

/** The blocks that a shard adds to a block of the masterchain, the newest first: that one is named there. None if it has no such shard. */
export function blocksOfShard(block: Block, shard: string): readonly NamedBlock[] {
  const part = block.shards.find(each => each.shard === shard);
  if (!part) return [];
  const { unlisted, unlistedHashes } = part;
  const newest = { shard, ref: shardTip(block, part) };
  return unlisted === undefined
    ? [newest]
    : [newest, { shard, ref: shardRef(block, shard, unlisted, unlistedHashes) }];
}

/** The block, of the masterchain or of a shard, that holds the account's transactions. */
export function idOfBlockWith(block: Block, address: string): BlockId {
  if (address.startsWith('-1:')) return masterchainId(block);
  const { shard } = block.shards.find(part => holds(part.shard, address))!;
  return id(0, shard, blocksOfShard(block, shard).at(-1)!.ref);
}
