import { accountKey, type SolanaNetwork } from '../../../contracts/network';
import type { CollectionSpec, Document, Documents } from '../../../contracts/ports/documents';
import type { Inclusion } from './page';

/**
 * How far the history of an account has been read. First everything is listed, newest first; then, when the slots
 * that were not final at the time have become final, those are listed again.
 */
export interface BackfillProgress {
  readonly network: SolanaNetwork;
  readonly address: string;
  readonly phase: 'list' | 'recheck' | 'done';
  /** The tail has looked for the account in every slot after this one. */
  readonly scannedSlot: number;
  /** Final when the listing began: what was found up to here needs no recheck. */
  readonly finalSlot: number;
  /** Accounts left to list in this phase, the current one first: the account itself and its token accounts. */
  readonly pending: readonly string[];
  /** Token accounts that belong or belonged to the account. */
  readonly tokenAccounts: readonly string[];
  /** The signature at which the listing of the current account continues; null at its newest. */
  readonly before: string | null;
  /** Signatures listed of the current account. */
  readonly listed: number;
  /** False once an account had more history than is followed. */
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
