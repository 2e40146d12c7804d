import { createHash } from 'node:crypto';
import { type ShardBlock, WHOLE, holds, shardAsInt64 } from './shards';

/** A masterchain block as it is stored. The sandbox has no blocks, so hashes are ours. */
export interface Block {
  readonly seqno: number;
  /** Unix seconds. */
  readonly utime: number;
  readonly endLt: number;
  readonly rootHash: Buffer;
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

const sha256 = (...parts: (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

export interface BlockContent {
  readonly seqno: number;
  readonly utime: number;
  /** Number of rollbacks so far: blocks after a rollback differ, even with the same messages. */
  readonly branch: number;
  readonly transactions: readonly Buffer[];
}

/** Root hash of a masterchain block: over its parent's, its seqno and time, and its transactions. */
export function blockHash(parent: Buffer, { seqno, utime, branch, transactions }: BlockContent): Buffer {
  return sha256(parent, `/${seqno}/${utime}/${branch}/`, ...transactions);
}

/** Root hash of the zero state: two networks, or two instances of one, never share a block. */
export function zeroStateHash(network: string, utime: number): Buffer {
  return sha256(`tidemark local ${network} ${utime}`);
}

export function fileHash(rootHash: Buffer): Buffer {
  return sha256('file', rootHash);
}

/** Seed of the randomness of a block. */
export function blockSeed(parent: Buffer): Buffer {
  return sha256('seed', parent);
}

const id = (workchain: number, shard: string, seqno: number, rootHash: Buffer): BlockId => ({
  workchain,
  seqno,
  shard: shardAsInt64(shard),
  rootHash: rootHash.toString('base64'),
  fileHash: fileHash(rootHash).toString('base64'),
});

export function masterchainId(block: Block): BlockId {
  return id(-1, WHOLE, block.seqno, block.rootHash);
}

export function shardId(block: Block, shard: string, seqno: number): BlockId {
  return id(0, shard, seqno, sha256(block.rootHash, `/${shard}/${seqno}`));
}

/** The block, of the masterchain or of a shard, that holds the account's transactions. */
export function idOfBlockWith(block: Block, address: string): BlockId {
  if (address.startsWith('-1:')) return masterchainId(block);
  const part = block.shards.find(({ shard }) => holds(shard, address))!;
  return shardId(block, part.shard, part.unlisted ?? part.seqno);
}
