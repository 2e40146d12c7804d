import type { SolanaSignatureStatus } from './solana-observations';

type Status = NonNullable<SolanaSignatureStatus>;

const RANKS = ['processed', 'confirmed', 'finalized'] as const;

const rankOf = ({ confirmationStatus }: Status): number =>
  confirmationStatus === null ? -1 : RANKS.indexOf(confirmationStatus);

/**
 * The further of two statuses of one transaction, the second when they are equal; with the higher number of confirmations,
 * of which null is the highest: the block is a root.
 */
export function furthestStatus(first: Status, second: Status): Status {
  const furthest = rankOf(second) >= rankOf(first) ? second : first;
  const isRoot = first.confirmations === null || second.confirmations === null;
  return {
    ...furthest,
    confirmations: isRoot ? null : Math.max(first.confirmations ?? 0, second.confirmations ?? 0),
  };
}

/** What a node said at a slot. */
interface Reading {
  readonly height: number | null;
  readonly data: SolanaSignatureStatus;
}

/** Slots after which a block is final, with a margin: 32 votes on top of each other. */
const FINAL_AFTER = 64;
/** Slots for which every node remembers a transaction: as long as its blockhash is valid. */
const REMEMBERED_FOR = 150;

/**
 * The status after two readings, possibly of different nodes: one that lags, is on another fork or has no history does not
 * take it back. Only when a node knows nothing of the transaction at a slot where it would be final, and would still be
 * remembered, its block was abandoned: the status is unknown again, since the transaction may be included once more.
 */
export function statusAfter(older: Reading, newer: Reading): SolanaSignatureStatus {
  if (!older.data) return newer.data;
  if (newer.data) return furthestStatus(older.data, newer.data);
  const { slot, confirmationStatus } = older.data;
  const age = (newer.height ?? 0) - slot;
  const isAbandoned = confirmationStatus !== 'finalized' && age >= FINAL_AFTER && age <= REMEMBERED_FOR;
  return isAbandoned ? null : older.data;
}
