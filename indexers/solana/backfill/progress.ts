import { accountKey, type SolanaNetwork } from '../../../contracts/network/network';
import type { CollectionSpec, Document, Documents, Write } from '../../../contracts/ports/documents';
import type { Inclusion } from './page';

/** The listing of one account, newest first, as far as it has come. */
export interface Listing {
  readonly account: string;
  /** The last signature listed; null at the beginning. */
  readonly before: string | null;
  /** The slot of that signature; null at the beginning. */
  readonly slot: number | null;
}

/**
 * Progress of the backfill of an account, which reads a history in parts. In each the transactions of the account and of
 * its token accounts are listed, newest first. After the first part, once the slots that were not final at its time are
 * final, those are listed again. The later parts are read on demand.
 */
export interface BackfillProgress {
  readonly network: SolanaNetwork;
  readonly address: string;
  /** The number of the watch for which the history is read. */
  readonly watch: number;
  /** 0 for the first time that the history is read; larger each time that it is read again. */
  readonly reading: number;
  /** 0 for the newest part. */
  readonly part: number;
  readonly phase: 'list' | 'recheck' | 'done';
  /** The tail has looked for the account in every slot after this one. */
  readonly scannedSlot: number;
  /** The newest final slot when the first part began: transactions up to it need no recheck. */
  readonly finalSlot: number;
  /** Accounts that are not listed to the end: the account itself and its token accounts. */
  readonly listings: readonly Listing[];
  /** Accounts whose slots after `finalSlot` are not listed again to the end. */
  readonly rechecks: readonly Listing[];
  /** Token accounts that belong or belonged to the account. */
  readonly tokenAccounts: readonly string[];
  /** Signatures listed in this part. */
  readonly listed: number;
  /** Published above `finalSlot`, before it was known to be final; `isFinal` once the recheck has found it. */
  readonly unfinalized: readonly (Inclusion & { readonly isFinal?: true })[];
  /** Whether the recheck has found transactions that the first part had not listed, and that the tail does not look for. */
  readonly hasFoundMore: boolean;
}

/** The listing of an account from its newest transaction on. */
export function listingOf(account: string): Listing {
  return { account, before: null, slot: null };
}

/**
 * The slot from which on everything is listed: where the listing that has come least far is; 0 at the end of the history.
 * Null when an account is not listed at all.
 */
export function listedSince({ listings }: Pick<BackfillProgress, 'listings'>): number | null {
  if (listings.some(({ slot }) => slot === null)) return null;
  return Math.max(0, ...listings.map(({ slot }) => slot!));
}

/** The same for the listing of the account itself; -1 at its end, null when it has not begun. */
export function mentionedSince({
  address,
  listings,
}: Pick<BackfillProgress, 'address' | 'listings'>): number | null {
  const own = listings.find(({ account }) => account === address);
  return own ? own.slot : -1;
}

export const BACKFILLS: CollectionSpec = { name: 'indexer_solana_backfills', indexes: [] };

const idOf = (network: SolanaNetwork, address: string): string =>
  accountKey({ chain: 'solana', network, address });

/** Versions before 0.2 do not store the reading. */
type StoredProgress = Omit<BackfillProgress, 'reading'> & { readonly reading?: number } & Document;

/** Null when no backfill of the account has started. */
export async function loadProgress(
  documents: Documents,
  network: SolanaNetwork,
  address: string,
): Promise<BackfillProgress | null> {
  const stored = await documents.get<StoredProgress>(BACKFILLS.name, idOf(network, address));
  return stored && { ...stored, reading: stored.reading ?? 0 };
}

export async function storeProgress(documents: Documents, progress: BackfillProgress): Promise<void> {
  const id = idOf(progress.network, progress.address);
  const document = { ...progress, _id: id } as unknown as Document;
  await documents.commit({ writes: [{ collection: BACKFILLS.name, id, document }] });
}

/** The write that forgets how far the backfill of an account is. */
export function forgetProgress(network: SolanaNetwork, address: string): Write {
  return { collection: BACKFILLS.name, id: idOf(network, address), document: null };
}
