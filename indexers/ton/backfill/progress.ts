import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../../contracts/network/network';
import type { CollectionSpec, Document, Documents } from '../../../contracts/ports/documents';
import { accountId } from '../account-heads';

export const BACKFILLS: CollectionSpec = { name: 'indexer_ton_backfills', indexes: [] };

/** A part of an account's chain being read: from `top` down to `floor` (exclusive), and now at `next`. */
export interface ChainRange {
  readonly top: TransactionRef;
  readonly next: TransactionRef;
  /** Where one of the last pages began that are already read; null before the first page. */
  readonly above: TransactionRef | null;
  /** Logical time. */
  readonly floor: string;
}

/**
 * Everything from the logical time `first` up to `covered` is published; null before the first range is done. What came
 * before `first` belongs to an account at the same address that was deleted.
 */
export interface BackfillProgress {
  /** The number of the watch for which the history is read. */
  readonly watch: number;
  readonly covered: string | null;
  readonly first: string | null;
  readonly range: ChainRange | null;
  readonly complete: boolean;
}

type StoredRef = { lt: string; hash: string };

type ProgressDocument = Document & {
  watch: number;
  covered: string | null;
  first: string | null;
  range: { top: StoredRef; next: StoredRef; above: StoredRef | null; floor: string } | null;
  complete: boolean;
};

export async function loadProgress(
  documents: Documents,
  network: TonNetwork,
  account: string,
  watch: number,
): Promise<BackfillProgress> {
  const stored = await documents.get<ProgressDocument>(BACKFILLS.name, accountId(network, account));
  // What was published for an earlier watch ends where that one did.
  if (stored?.watch === watch) return stored;
  return { watch, covered: null, first: null, range: null, complete: false };
}

export async function storeProgress(
  documents: Documents,
  network: TonNetwork,
  account: string,
  { watch, covered, first, range, complete }: BackfillProgress,
): Promise<void> {
  const id = accountId(network, account);
  const ref = ({ lt, hash }: TransactionRef): StoredRef => ({ lt, hash });
  const document: ProgressDocument = {
    _id: id,
    watch,
    covered,
    first,
    range: range && {
      top: ref(range.top),
      next: ref(range.next),
      above: range.above && ref(range.above),
      floor: range.floor,
    },
    complete,
  };
  await documents.commit({ writes: [{ collection: BACKFILLS.name, id, document }] });
}
