import type { Finality } from '../../contracts/chain/solana';
import type { LazyBlock, RawTransaction } from './raw';

export interface BlockRef {
  readonly slot: number;
  readonly blockhash: string;
}

export interface BlockHeader extends BlockRef {
  readonly parentSlot: number;
  readonly previousBlockhash: string;
}

/** The transactions of a block by their ids, in block order. */
export interface BlockSignatures extends BlockHeader {
  readonly blockTime: number | null;
  readonly signatures: readonly string[];
}

/**
 * `skipped`: the node has no block in the slot; another node may have one. `pending`: not available yet.
 * `pruned`: no longer available; an archive node may have it.
 */
export type Absent = 'skipped' | 'pending' | 'pruned';
export type Found<T> = { readonly found: T } | { readonly absent: Absent };

export interface SignatureEntry {
  readonly signature: string;
  readonly slot: number;
}

export interface FoundTransaction {
  readonly slot: number;
  readonly raw: RawTransaction;
}

/**
 * Reads a Solana network. Every read rejects when no node has answered it, with `WrongNetwork` when what answers is of
 * another network.
 */
export interface SolanaSource {
  /** The newest slot of that finality. */
  slot(finality: Finality): Promise<number>;
  /** As `slot`, but a mere hint: the node is not asked for its genesis after it. For a tail, which checks each block. */
  slotHint(finality: Finality): Promise<number>;
  /** The slots from `from` to `to`, both inclusive, that have a block. A hint as well. */
  slots(from: number, to: number, finality: Finality): Promise<readonly number[]>;
  /** Reading its transactions throws when one is malformed; when the block is read again, it is of another node. */
  block(slot: number, finality: Finality): Promise<Found<LazyBlock>>;
  header(slot: number, finality: Finality): Promise<Found<BlockHeader>>;
  /** In the order of the slots; few calls, if the node takes several in one. */
  blockSignatures(slots: readonly number[], finality: Finality): Promise<readonly Found<BlockSignatures>[]>;
  /** Signatures of transactions that mention the account, newest first, beyond `before`. Rejects before `minSlot`. */
  signatures(
    account: string,
    page: { readonly before: string | null; readonly limit: number; readonly minSlot: number },
    finality: Finality,
  ): Promise<readonly SignatureEntry[]>;
  /** In the order of the signatures, null for one that is not found; few calls, if the node takes several in one. */
  transactions(
    signatures: readonly string[],
    finality: Finality,
  ): Promise<readonly (FoundTransaction | null)[]>;
  /** The token accounts that an owner has now, of both token programs. */
  tokenAccounts(owner: string): Promise<readonly string[]>;
  /** Resolves at the next new slot, or after `timeoutMs`. */
  waitForSlot(timeoutMs: number): Promise<void>;
}
