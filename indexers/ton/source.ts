import type { Cell } from '@ton/core';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';

export interface ListedTransaction extends TransactionRef {
  /** Raw. */
  readonly account: string;
}

/** A block of a shard (or of the masterchain) and what it lists. `shard` is a signed 64-bit decimal string. */
export interface ShardBlock {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly rootHash: string;
  readonly transactions: readonly ListedTransaction[];
}

/** A masterchain block with every shard block that it made final, itself included. */
export interface MasterBlock {
  readonly seqno: number;
  readonly rootHash: string;
  readonly shards: readonly ShardBlock[];
}

/**
 * Reads final transactions. Every call rejects with a `SourceError` after its own retries have failed, or with
 * `WrongNetwork` when what answers is of another network.
 */
export interface TonSource {
  /** Seqno of the newest masterchain block. */
  tip(signal: AbortSignal): Promise<number>;
  /** Null when the source does not have the block. */
  block(seqno: number, signal: AbortSignal): Promise<MasterBlock | null>;
  /** The masterchain block of a time (Unix seconds), or the one before; null when the source does not have it. */
  blockAt(utime: number, signal: AbortSignal): Promise<MasterBlock | null>;
  /** The newest transaction of an account as of a masterchain block; null when it has none. */
  last(account: string, seqno: number, signal: AbortSignal): Promise<TransactionRef | null>;
  /**
   * A page of an account's chain, newest first, beginning with `from`. Never empty. The source decides on its length;
   * it is cut to `max` transactions.
   */
  transactions(
    account: string,
    from: TransactionRef,
    signal: AbortSignal,
    max?: number,
  ): Promise<readonly Cell[]>;
  /** Resolves when a new block may be available, after `timeoutMs`, or when the signal fires. */
  waitForBlock(timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export class SourceError extends Error {
  override readonly name = 'SourceError';
}
