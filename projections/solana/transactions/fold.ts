import type {
  HistoryBackfilled,
  SolanaMessage,
  TransactionFinalized,
  TransactionRolledBack,
  TransactionSeen,
} from '../../../contracts/chain/solana';
import type { Document } from '../../../contracts/ports/documents';
import type { HistoryDocument, Inclusion } from './documents';

type OfTransaction = TransactionSeen | TransactionFinalized | TransactionRolledBack;

/**
 * The inclusion of a transaction to keep. The tail publishes inclusions in chain order and rolls back those of orphaned
 * blocks; a backfill publishes them at any time. Both agree on what is final, so a final inclusion is never replaced,
 * and a message affects only the inclusion in the block that it names.
 */
export function foldInclusion<D extends Inclusion>(
  shown: D | null,
  message: OfTransaction,
  toDocument: (seen: TransactionSeen) => D,
): D | null {
  if (message.type === 'transaction') return replaces(message, shown) ? toDocument(message) : shown;
  if (!shown || shown.finality === 'finalized' || shown.blockhash !== message.blockhash) return shown;
  return message.type === 'rolled-back' ? null : { ...shown, finality: 'finalized' };
}

function replaces(seen: TransactionSeen, shown: Inclusion | null): boolean {
  if (!shown) return true;
  if (shown.finality !== seen.finality) return seen.finality === 'finalized';
  return shown.blockhash !== seen.blockhash;
}

/** Histories only become longer, and stay complete once they are. */
export function foldHistory(
  shown: HistoryDocument | null,
  { slot, complete }: HistoryBackfilled,
  _id: string,
): HistoryDocument {
  if (shown && shown.slot >= slot && shown.complete >= complete) return shown;
  return {
    _id,
    slot: Math.max(slot, shown?.slot ?? 0),
    complete: complete || (shown?.complete ?? false),
  } satisfies Document;
}

export function isOfTransaction(message: SolanaMessage): message is OfTransaction {
  return message.type !== 'backfilled';
}
