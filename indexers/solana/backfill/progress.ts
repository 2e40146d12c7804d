import { accountKey, type SolanaNetwork } from '../../../contracts/network';
import type { CollectionSpec, Document, Documents } from '../../../contracts/ports/documents';
import type { Inclusion } from './page';

/**
 * Progress of the backfill of an account. First everything is listed, newest first; then, once the slots that were not
 * final at that time are final, those are listed again.
 */
export interface BackfillProgress {
  readonly network: SolanaNetwork;
  readonly address: string;
  readonly phase: 'list' | 'recheck' | 'done';
  /** The tail has looked for the account in every slot after this one. */
  readonly scannedSlot: number;
  /** The newest final slot when the listing began: transactions up to it need no recheck. */
  readonly finalSlot: number;
  /** Accounts left to list in this phase, the current one first: the account itself and its token accounts. */
  readonly pending: readonly string[];
  /** Token accounts that belong or belonged to the account. */
  readonly tokenAccounts: readonly string[];
  /** The signature at which the listing of the current account continues; null at its newest. */
  readonly before: string | null;
  /** Signatures listed of the current account. */
  readonly listed: number;
  /** False once an account has more history than the backfill reads. */
  readonly complete: boolean;
  /** Published above `finalSlot`, and not yet known to be final. */
  readonly unfinalized: readonly Inclusion[];
}

export const BACKFILLS: CollectionSpec = { name: 'indexer_solana_backfills', indexes: [] };

const idOf = (network: SolanaNetwork, address: string): string =>
  accountKey({ chain: 'solana', network, address });

/** Null when no backfill of the account has started. */
export async function loadProgress(
  documents: Documents,
  network: SolanaNetwork,
  address: string,
): Promise<BackfillProgress | null> {
  return documents.get<BackfillProgress & Document>(BACKFILLS.name, idOf(network, address));
}

export async function storeProgress(documents: Documents, progress: BackfillProgress): Promise<void> {
  const id = idOf(progress.network, progress.address);
  const document = { ...progress, _id: id } as unknown as Document;
  await documents.commit({ writes: [{ collection: BACKFILLS.name, id, document }] });
}
