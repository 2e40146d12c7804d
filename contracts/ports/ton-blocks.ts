import type { Cell } from '@ton/core';

/** A block of TON: `BlockIdExt` of the lite servers. Hashes are in hex. */
export interface TonBlockId {
  readonly workchain: number;
  /** 16 hex digits. */
  readonly shard: string;
  readonly seqno: number;
  /** Representation hash of its cell. */
  readonly rootHash: string;
  /** SHA-256 of its bag of cells. */
  readonly fileHash: string;
}

/** What leads from a block of the masterchain to a block of a shard. */
export interface WayFromMasterchain {
  readonly masterchain: TonBlockId;
  /** Of the shard: the block that it names, and those from there back to the one that was asked for, which is not among them. */
  readonly later: readonly TonBlockId[];
}

/** Whole blocks of a network of TON, which the HTTP API v4 does not have. Nothing that it says is trusted: cells are compared with hashes. */
export interface TonBlocks {
  /** A block, whose hashes are those of the id. @throws BlocksUnavailable */
  block(id: TonBlockId): Promise<Cell>;
  /** Which blocks show that a block of a shard is in the masterchain: not proven by what it says. @throws BlocksUnavailable */
  wayFromMasterchain(id: TonBlockId): Promise<WayFromMasterchain>;
  close(): Promise<void>;
}

/** The source has not answered with what was asked for, also when it was asked again. */
export class BlocksUnavailable extends Error {
  override readonly name = 'BlocksUnavailable';
}
