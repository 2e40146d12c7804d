import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../contracts/network';
import type { CollectionSpec, Document, Documents } from '../../contracts/ports/documents';
import { headId } from './state';

export const BACKFILLS = 'ton_backfills';

export const BACKFILL_COLLECTIONS: readonly CollectionSpec[] = [{ name: BACKFILLS, indexes: [] }];

/** A stretch of an account's chain being read: from `top` down to `floor` (exclusive), and now at `next`. */
export interface Stretch {
  readonly top: TransactionRef;
  readonly next: TransactionRef;
  readonly floor: string;
}

/** Everything up to the logical time `covered` is published; null before the first stretch is done. */
export interface BackfillProgress {
  readonly covered: string | null;
  readonly stretch: Stretch | null;
  readonly complete: boolean;
}

type ProgressDocument = Document & {
  covered: string | null;
  stretch: { top: { lt: string; hash: string }; next: { lt: string; hash: string }; floor: string } | null;
  complete: boolean;
};

export async function loadProgress(
  documents: Documents,
  network: TonNetwork,
  account: string,
): Promise<BackfillProgress> {
  const stored = await documents.get<ProgressDocument>(BACKFILLS, headId(network, account));
  return stored ?? { covered: null, stretch: null, complete: false };
}

export async function storeProgress(
  documents: Documents,
  network: TonNetwork,
  account: string,
  { covered, stretch, complete }: BackfillProgress,
): Promise<void> {
  const id = headId(network, account);
  const at = ({ lt, hash }: TransactionRef): { lt: string; hash: string } => ({ lt, hash });
  const document: ProgressDocument = {
    _id: id,
    covered,
    stretch: stretch && { top: at(stretch.top), next: at(stretch.next), floor: stretch.floor },
    complete,
  };
  await documents.commit({ writes: [{ collection: BACKFILLS, id, document }] });
}
