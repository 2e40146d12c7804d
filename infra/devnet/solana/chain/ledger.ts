import type { AccountChanges, StoredAccount } from '../svm/account';
import type { TransactionError } from '../svm/transaction-error';

export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/** A transaction that ran and paid its fee, whether it succeeded or not. */
export interface LedgerTransaction {
  readonly slot: number;
  /** Index in the block, from 0. */
  readonly index: number;
  readonly signature: string;
  readonly err: TransactionError | null;
  readonly memo: string | null;
  readonly version: 'legacy' | 0;
  readonly wire: Buffer;
  /** The RPC's `transaction` in its `json` encoding, serialised. */
  readonly body: string;
  /** The RPC's `meta`, serialised. */
  readonly meta: string;
  /** All accounts, also from lookup tables. */
  readonly accountKeys: readonly string[];
}

export interface BlockHeader {
  readonly slot: number;
  /** Number of blocks before it: the slot minus the skipped slots. */
  readonly height: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly blockhash: string;
  /** The lowest price paid in the block, in millionths of a lamport per compute unit; 0 when it is empty. */
  readonly price: number;
}

/** A block that may still be dropped: the open one, where `header` is null, and all that are not finalized. */
export interface LiveBlock {
  readonly slot: number;
  readonly height: number;
  header: BlockHeader | null;
  confirmed: boolean;
  /** By signature, in order. */
  readonly transactions: Map<string, LedgerTransaction>;
  /** Changed accounts before the block. */
  readonly before: Map<string, StoredAccount | null>;
  /** The same accounts after the block. */
  readonly after: Map<string, StoredAccount | null>;
}

/** The changes since the last write, for one database transaction. */
export interface LedgerWrite {
  readonly transactions: readonly LedgerTransaction[];
  readonly accounts: AccountChanges;
  /** The first change of each account per unfinalized block. */
  readonly undo: readonly { slot: number; address: string; before: StoredAccount | null }[];
  readonly block: BlockHeader | null;
  readonly openSlot: number;
  readonly rootSlot: number;
}
