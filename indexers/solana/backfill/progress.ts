import type { SolanaNetwork } from '../../../contracts/network';
import type { CollectionSpec, Document, Documents } from '../../../contracts/ports/documents';
import { solanaAccountKey } from '../account';
import type { Loose } from './page';

/**
 * How far the history of an account has been read. First everything is walked, newest first; then, when the slots
 * that were open at the time have become final, those are walked again.
 */
export interface Progress {
  readonly network: SolanaNetwork;
  readonly address: string;
  readonly phase: 'walk' | 'settle' | 'done';
  /** The tail has looked for the account in every slot after this one. */
  readonly through: number;
  /** Final when the walk began: what it found up to here needs no second look. */
  readonly floor: number;
  /** Accounts left to list in this phase, the one in hand first: the account itself and its token accounts. */
  readonly pending: readonly string[];
  /** Token accounts that belong or belonged to the account. */
  readonly tokenAccounts: readonly string[];
  /** Where the listing of the one in hand goes on; null at its newest. */
  readonly before: string | null;
  readonly walked: number;
  /** False once an account had more history than is followed. */
  readonly complete: boolean;
  /** Published above the floor, and not yet known to be final. */
  readonly loose: readonly Loose[];
}

const BACKFILLS = 'indexer-solana-backfills';

export const BACKFILL_COLLECTIONS: readonly CollectionSpec[] = [{ name: BACKFILLS, indexes: [] }];

/** Null when the history of the account has never been asked for. */
export async function loadProgress(
  documents: Documents,
  network: SolanaNetwork,
  address: string,
): Promise<Progress | null> {
  return documents.get<Progress & Document>(BACKFILLS, solanaAccountKey(network, address));
}

export async function storeProgress(documents: Documents, progress: Progress): Promise<void> {
  const id = solanaAccountKey(progress.network, progress.address);
  const document = { ...progress, _id: id } as unknown as Document;
  await documents.commit({ writes: [{ collection: BACKFILLS, id, document }] });
}
