import type { BackfillDeps, StoreProgress } from './deps';
import { isPartRead, listPages, nextListings } from './list-pages';
import { listingOf, type BackfillProgress } from './progress';
import { publishReached } from './publish';
import { endRecheck, recheckPage } from './recheck';

/** Starts the backfill of an account that the tail looks for only in slots after `scannedSlot`. */
export async function startBackfill(
  { network, source }: BackfillDeps,
  { address, watch, reading }: Pick<BackfillProgress, 'address' | 'watch' | 'reading'>,
  scannedSlot: number,
): Promise<BackfillProgress> {
  const finalSlot = await source.slot('finalized');
  // A transfer to a token account does not mention its owner: the owner's own list is not its whole history.
  const tokenAccounts = await source.tokenAccounts(address);
  return {
    network,
    address,
    watch,
    reading,
    part: 0,
    phase: 'list',
    scannedSlot,
    finalSlot,
    listings: [address, ...tokenAccounts].map(listingOf),
    rechecks: [],
    tokenAccounts,
    listed: 0,
    unfinalized: [],
    hasFoundMore: false,
  };
}

/** Starts the next part of a history; the same progress when a part is being read, or none is left. */
export function startNextPart(progress: BackfillProgress): BackfillProgress {
  const { phase, listings, part } = progress;
  if (phase !== 'done' || listings.length === 0) return progress;
  return { ...progress, part: part + 1, phase: 'list', listed: 0 };
}

/**
 * Publishes the next page before it resolves to the new progress; returns the same progress when the part is read.
 * What may have to be retracted is stored before it is published, since the process may crash in between.
 *
 * There is no gap between backfill and tail: the tail looks for the account in every slot after `scannedSlot`. The listing
 * publishes everything that was final when it began, up to `finalSlot`, and provisionally what it finds above. Once
 * `scannedSlot` and everything found is final, the slots after `finalSlot` are listed again on the final chain, and what
 * is not on it is retracted. The later parts begin after that, and read the final chain only.
 */
export async function nextPage(
  deps: BackfillDeps,
  progress: BackfillProgress,
  store: StoreProgress,
): Promise<BackfillProgress> {
  switch (progress.phase) {
    case 'list': {
      const listings = nextListings(deps, progress);
      return listings.length > 0 && !isPartRead(deps, progress)
        ? listPages(deps, progress, listings, store)
        : endPart(deps, progress);
    }
    case 'recheck': {
      const [listing] = progress.rechecks;
      return listing ? recheckPage(deps, progress, listing) : endRecheck(deps, progress);
    }
    case 'done':
      return progress;
  }
}

async function endPart(deps: BackfillDeps, progress: BackfillProgress): Promise<BackfillProgress> {
  const { address, part, finalSlot, scannedSlot, tokenAccounts, unfinalized } = progress;
  await publishReached(deps, progress, part + 1);
  if (part > 0 || (scannedSlot <= finalSlot && unfinalized.length === 0))
    return { ...progress, phase: 'done' };
  return { ...progress, phase: 'recheck', rechecks: [address, ...tokenAccounts].map(listingOf) };
}
