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
 * The inclusion of a transaction to show. The tail tells of inclusions in its order and takes back the ones of
 * abandoned blocks; a back-fill tells of them at any time. They agree on what is final, so a final inclusion stays
 * whatever comes, and nothing but the block meant is ever marked or taken back.
 */
export function foldInclusion<D extends Inclusion>(
  shown: D | null,
  message: OfTransaction,
  show: (seen: TransactionSeen) => D,
): D | null {
  if (message.type === 'transaction') return isNews(shown, message) ? show(message) : shown;
  if (!shown || shown.finality === 'finalized' || shown.blockhash !== message.blockhash) return shown;
  return message.type === 'rolled-back' ? null : { ...shown, finality: 'finalized' };
}

function isNews(shown: Inclusion | null, seen: TransactionSeen): boolean {
  if (!shown) return true;
  if (shown.finality !== seen.finality) return seen.finality === 'finalized';
  return shown.blockhash !== seen.blockhash;
}

/** Histories only become longer and, once told to be whole, stay so. */
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
