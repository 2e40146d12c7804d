import type {
  HistoryBackfilled,
  HistoryRemoved,
  SolanaMessage,
  TransactionFinalized,
  TransactionRetracted,
  TransactionRolledBack,
  TransactionSeen,
} from '../../../contracts/chain/solana';
import type { Document } from '../../../contracts/ports/documents';
import type { HistoryDocument, Inclusion, OrphanDocument } from './documents';

type OfTransaction = TransactionSeen | TransactionFinalized | TransactionRolledBack | TransactionRetracted;

/**
 * The inclusion of a transaction to keep. The tail publishes inclusions in chain order and rolls back those of orphaned
 * blocks; a backfill publishes them at any time. Both agree on what is final, so a final inclusion is never replaced,
 * and a message affects only the inclusion in the block that it names. A retraction takes it back even then: that block is
 * not of the network.
 */
export function foldInclusion<D extends Inclusion>(
  current: D | null,
  message: OfTransaction,
  toDocument: (seen: TransactionSeen) => D,
): D | null {
  if (message.type === 'transaction') return replaces(message, current) ? toDocument(message) : current;
  if (!current || current.blockhash !== message.blockhash) return current;
  if (message.type === 'retracted') return null;
  if (current.finality === 'finalized') return current;
  return message.type === 'rolled-back' ? null : { ...current, finality: 'finalized' };
}

function replaces(seen: TransactionSeen, current: Inclusion | null): boolean {
  if (!current) return true;
  if (current.finality !== seen.finality) return seen.finality === 'finalized';
  return current.blockhash !== seen.blockhash;
}

/**
 * Histories only become longer, and stay complete once they are; that of a later watch begins again, and one with a
 * transaction of another network has to be read again.
 * @param offset of the message on the log
 */
export function foldHistory(
  current: HistoryDocument | null,
  message: Exclude<SolanaMessage, HistoryRemoved>,
  _id: string,
  offset: number,
): HistoryDocument | null {
  switch (message.type) {
    case 'retracted':
      return null;
    case 'rolled-back':
      return current && { ...current, rollbackOffset: Math.max(offset, current.rollbackOffset) };
    case 'backfilled':
      return foldBackfilled(current, message, _id, offset);
    case 'transaction':
    case 'finalized':
      return current;
  }
}

function foldBackfilled(
  current: HistoryDocument | null,
  { watch, slot, since, mentionedSince = since, parts, complete }: HistoryBackfilled,
  _id: string,
  offset: number,
): HistoryDocument {
  if (!current || watch > current.watch)
    return {
      _id,
      watch,
      slot,
      since,
      mentionedSince,
      parts,
      complete,
      rollbackOffset: offset,
    } satisfies Document;
  if (watch < current.watch) return current;
  return {
    ...current,
    slot: Math.max(slot, current.slot),
    since: Math.min(since, current.since),
    mentionedSince: Math.min(mentionedSince, current.mentionedSince),
    parts: Math.max(parts, current.parts),
    complete: complete || current.complete,
  } satisfies Document;
}

/** Where the transaction of a block that was abandoned was; of several, in the newest one. */
export function foldOrphan(
  current: OrphanDocument | null,
  { signature, slot }: Pick<OfTransaction, 'signature' | 'slot'>,
  _id: string,
  account: string,
): OrphanDocument {
  return { _id, account, signature, slot: Math.max(slot, current?.slot ?? 0) };
}

export function isOfTransaction(message: SolanaMessage): message is OfTransaction {
  return message.type !== 'backfilled' && message.type !== 'removed';
}
