import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../../contracts/network';
import type { CollectionSpec, Document, Documents } from '../../../contracts/ports/documents';
import { accountId } from '../account-heads';

export const BACKFILLS: CollectionSpec = { name: 'indexer_ton_backfills', indexes: [] };

/** A part of an account's chain being read: from `top` down to `floor` (exclusive), and now at `next`. */
export interface ChainRange {
  readonly top: TransactionRef;
  readonly next: TransactionRef;
  /** Logical time. */
  readonly floor: string;
}

/**
 * Everything from the logical time `first` up to `covered` is published; null before the first range is done. What came
 * before `first` belongs to an account at the same address that was deleted.
 */
export interface BackfillProgress {
  readonly covered: string | null;
  readonly first: string | null;
  readonly range: ChainRange | null;
  readonly complete: boolean;
}

type ProgressDocument = Document & {
  covered: string | null;
  first: string | null;
  range: { top: { lt: string; hash: string }; next: { lt: string; hash: string }; floor: string } | null;
  complete: boolean;
};

export async function loadProgress(
  documents: Documents,
  network: TonNetwork,
  account: string,
): Promise<BackfillProgress> {
  const stored = await documents.get<ProgressDocument>(BACKFILLS.name, accountId(network, account));
  return stored ?? { covered: null, first: null, range: null, complete: false };
}

export async function storeProgress(
  documents: Documents,
  network: TonNetwork,
  account: string,
  { covered, first, range, complete }: BackfillProgress,
): Promise<void> {
  const id = accountId(network, account);
  const ref = ({ lt, hash }: TransactionRef): { lt: string; hash: string } => ({ lt, hash });
  const document: ProgressDocument = {
    _id: id,
    covered,
    first,
    range: range && { top: ref(range.top), next: ref(range.next), floor: range.floor },
    complete,
  };
  await documents.commit({ writes: [{ collection: BACKFILLS.name, id, document }] });
}
