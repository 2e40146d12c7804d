import type { Finality } from '../../../contracts/chain/solana';
import type { SignatureEntry } from '../source';
import type { BackfillDeps, BackfillOptions, StoreProgress } from './deps';
import { advanced, DEFAULT_PAGE_SIZE, listedAfter, newTokenAccounts } from './listing';
import { inclusionId, readPage, type Inclusion } from './page';
import { listedSince, listingOf, mentionedSince, type BackfillProgress, type Listing } from './progress';
import { publish, publishReached } from './publish';

/** The listing that determines how far back the history is known. */
function leastAdvanced(listings: readonly Listing[]): Listing | undefined {
  const slotOf = ({ slot }: Listing): number => slot ?? Infinity;
  return listings.reduce<Listing | undefined>(
    (least, listing) => (least && slotOf(least) >= slotOf(listing) ? least : listing),
    undefined,
  );
}

/** Listings that are begun at a time. */
const LISTINGS_AT_ONCE = 8;

/**
 * Those that are listed next: the account itself until its first page is read, then its token accounts that are not listed at
 * all, then the one that determines how far back the history is known.
 */
export function nextListings(deps: BackfillDeps, progress: BackfillProgress): readonly Listing[] {
  const { address, listings } = progress;
  if (!isFirstPageRead(deps, progress)) return listings.filter(({ account }) => account === address);
  const begun = listings.filter(({ slot }) => slot === null).slice(0, LISTINGS_AT_ONCE);
  const least = leastAdvanced(listings);
  return begun.length > 0 ? begun : least ? [least] : [];
}

/** Whether the part has as many signatures as it may, of accounts that are all listed to some point. */
export function isPartRead({ partSize = 10_000 }: BackfillOptions, progress: BackfillProgress): boolean {
  return progress.listed >= partSize && listedSince(progress) !== null;
}

/** Of an account that is not listed at all somebody waits for a page: the longest that can be asked for. */
const FIRST_PAGE_SIZE = 100;

/** Whether as much of the account itself is listed as anybody asks for at once, or all of it: it is listed before all others. */
export function isFirstPageRead(
  { pageSize = DEFAULT_PAGE_SIZE }: BackfillOptions,
  progress: BackfillProgress,
): boolean {
  const { part, phase, listed } = progress;
  if (part > 0 || phase !== 'list') return true;
  return mentionedSince(progress) === -1 || listed >= Math.min(pageSize, FIRST_PAGE_SIZE);
}

/** Publishes a page of each of the listings. What may have to be retracted is stored before. */
export async function listPages(
  deps: BackfillDeps,
  progress: BackfillProgress,
  listings: readonly Listing[],
  store: StoreProgress,
): Promise<BackfillProgress> {
  const { source, network, pageSize = DEFAULT_PAGE_SIZE } = deps;
  const { address, part } = progress;
  const [commitment, finalSlot]: [Finality, number] =
    part === 0 ? ['confirmed', progress.finalSlot] : ['finalized', Infinity];
  const lists = await Promise.all(
    listings.map(listing => {
      const limit = listing.before === null ? Math.min(pageSize, FIRST_PAGE_SIZE) : pageSize;
      return listedAfter(deps, listing, commitment, progress.finalSlot, limit);
    }),
  );
  const entries = uniqueEntries(lists);
  const page = await readPage(source, network, address, entries, commitment, finalSlot);
  const unfinalized = withUnfinalized(progress.unfinalized, page.included, finalSlot);
  if (unfinalized.length > progress.unfinalized.length) await store({ ...progress, unfinalized });
  await publish(deps, page.records, page.deadLetters);

  const found = newTokenAccounts(progress, page.tokenAccounts);
  const next = {
    ...progress,
    tokenAccounts: [...progress.tokenAccounts, ...found],
    listings: [...advancedAll(progress.listings, listings, lists), ...found.map(listingOf)],
    listed: progress.listed + entries.length,
    unfinalized,
  };
  await publishReached(deps, next, part);
  return next;
}

/** Each entry once: a transaction may be listed for several accounts. */
function uniqueEntries(lists: readonly (readonly SignatureEntry[])[]): readonly SignatureEntry[] {
  return [...new Map(lists.flat().map(entry => [entry.signature, entry])).values()];
}

/** The listings with each of `from` as far as the last of its entries, or without it where there were none. */
function advancedAll(
  listings: readonly Listing[],
  from: readonly Listing[],
  lists: readonly (readonly SignatureEntry[])[],
): Listing[] {
  return from.reduce<Listing[]>(
    (all, listing, at) => {
      const last = lists[at]!.at(-1);
      const { account } = listing;
      return advanced(all, listing, last && { account, before: last.signature, slot: last.slot });
    },
    [...listings],
  );
}

/** Adds the inclusions of a page above the final slot; those of a page that is read again are added once. */
function withUnfinalized(
  known: readonly Inclusion[],
  included: readonly Inclusion[],
  finalSlot: number,
): readonly Inclusion[] {
  const before = new Set(known.map(inclusionId));
  return [...known, ...included.filter(each => each.slot > finalSlot && !before.has(inclusionId(each)))];
}
