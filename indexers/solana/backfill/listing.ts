import type { Finality } from '../../../contracts/chain/solana';
import type { SignatureEntry } from '../source';
import type { BackfillDeps } from './deps';
import type { BackfillProgress, Listing } from './progress';

/** Signatures that are listed at a time. */
export const DEFAULT_PAGE_SIZE = 500;

/**
 * The next page of a listing.
 * @param minSlot what the source must have seen: another node than the one that was asked before may lag
 * @throws Error when it does not continue the listing: a node that ignores `before` would be listed for ever
 */
export async function listedAfter(
  { source }: BackfillDeps,
  { account, before, slot }: Listing,
  commitment: Finality,
  minSlot: number,
  limit: number,
): Promise<readonly SignatureEntry[]> {
  const entries = await source.signatures(account, { before, limit, minSlot }, commitment);
  const seen = new Set([before]);
  let newest = slot ?? Infinity;
  for (const entry of entries) {
    if (entry.slot > newest || seen.has(entry.signature))
      throw new Error(`the source lists ${entry.signature} of ${account} twice or out of order`);
    seen.add(entry.signature);
    newest = entry.slot;
  }
  return entries;
}

/** Token accounts of a page that are not listed yet. */
export function newTokenAccounts(
  { address, tokenAccounts }: BackfillProgress,
  seen: readonly string[],
): string[] {
  return seen.filter(account => account !== address && !tokenAccounts.includes(account));
}

/** The listings with one of them further, or without it at its end. */
export function advanced(listings: readonly Listing[], from: Listing, to: Listing | undefined): Listing[] {
  return listings.flatMap(listing => (listing === from ? (to ?? []) : listing));
}
