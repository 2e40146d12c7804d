import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS, type Finality } from '../../../contracts/chain/solana';
import type { SolanaNetwork } from '../../../contracts/network/network';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import type { IndexerMetrics } from '../../indexer';
import { newMessage, outcomeRecords } from '../records';
import type { SignatureEntry, SolanaSource } from '../source';
import { readPage, type Inclusion } from './page';
import { listedSince, listingOf, mentionedSince, type BackfillProgress, type Listing } from './progress';

export interface BackfillOptions {
  /** Signatures listed at a time, up to 1,000; default 500. */
  readonly pageSize?: number | undefined;
  /** Signatures after which a part of the history ends; default 10,000. */
  readonly partSize?: number | undefined;
  /** Milliseconds between two checks whether slots have become final; default 2,000. */
  readonly pollMs?: number | undefined;
}

export interface BackfillDeps extends BackfillOptions {
  readonly network: SolanaNetwork;
  readonly source: SolanaSource;
  readonly log: Log;
  readonly metrics: IndexerMetrics;
}

/** Starts the backfill of an account that the tail looks for only in slots after `scannedSlot`. */
export async function startBackfill(
  { network, source }: BackfillDeps,
  { address, watch }: Pick<BackfillProgress, 'address' | 'watch'>,
  scannedSlot: number,
): Promise<BackfillProgress> {
  const finalSlot = await source.slot('finalized');
  // A transfer to a token account does not mention its owner: the owner's own list is not its whole history.
  const tokenAccounts = await source.tokenAccounts(address);
  return {
    network,
    address,
    watch,
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

/** Stores the progress, so that a process that takes over continues there. */
type Store = (progress: BackfillProgress) => Promise<void>;

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
  store: Store,
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
function nextListings(deps: BackfillDeps, progress: BackfillProgress): readonly Listing[] {
  const { address, listings } = progress;
  if (!isFirstPageRead(deps, progress)) return listings.filter(({ account }) => account === address);
  const begun = listings.filter(({ slot }) => slot === null).slice(0, LISTINGS_AT_ONCE);
  const least = leastAdvanced(listings);
  return begun.length > 0 ? begun : least ? [least] : [];
}

const isPartRead = ({ partSize = 10_000 }: BackfillDeps, progress: BackfillProgress): boolean =>
  progress.listed >= partSize && listedSince(progress) !== null;

const DEFAULT_PAGE_SIZE = 500;
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

async function listPages(
  deps: BackfillDeps,
  progress: BackfillProgress,
  listings: readonly Listing[],
  store: Store,
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

async function recheckPage(
  deps: BackfillDeps,
  progress: BackfillProgress,
  listing: Listing,
): Promise<BackfillProgress> {
  const { source, network } = deps;
  const { address, finalSlot } = progress;
  const { account } = listing;
  const { pageSize = DEFAULT_PAGE_SIZE } = deps;
  const entries = await listedAfter(deps, listing, 'finalized', lastRechecked(progress), pageSize);
  const wanted = entries.filter(({ slot }) => slot > finalSlot);
  const page = await readPage(source, network, address, wanted, 'finalized', Infinity);
  await publish(deps, page.records, page.deadLetters);

  const found = newTokenAccounts(progress, page.tokenAccounts);
  const last = wanted.length === entries.length ? entries.at(-1) : undefined;
  const final = new Set(page.included.map(idOf));
  const isFoundNow = page.included.some(
    ({ slot, signature }) =>
      slot <= progress.scannedSlot && !progress.unfinalized.some(known => known.signature === signature),
  );
  return {
    ...progress,
    tokenAccounts: [...progress.tokenAccounts, ...found],
    rechecks: [
      ...advanced(progress.rechecks, listing, last && { account, before: last.signature, slot: last.slot }),
      ...found.map(listingOf),
    ],
    unfinalized: progress.unfinalized.map(each =>
      final.has(idOf(each)) ? { ...each, isFinal: true } : each,
    ),
    hasFoundMore: progress.hasFoundMore || isFoundNow,
  };
}

/**
 * The next page of a listing.
 * @param minSlot what the source must have seen: another node than the one that was asked before may lag
 * @throws Error when it does not continue the listing: a node that ignores `before` would be listed for ever
 */
async function listedAfter(
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

function newTokenAccounts({ address, tokenAccounts }: BackfillProgress, seen: readonly string[]): string[] {
  return seen.filter(account => account !== address && !tokenAccounts.includes(account));
}

/** The listings with one of them further, or without it at its end. */
function advanced(listings: readonly Listing[], from: Listing, to: Listing | undefined): Listing[] {
  return listings.flatMap(listing => (listing === from ? (to ?? []) : listing));
}

const idOf = ({ signature, blockhash }: Inclusion): string => `${signature}/${blockhash}`;

/** Adds the inclusions of a page above the final slot; those of a page that is read again are added once. */
function withUnfinalized(
  known: readonly Inclusion[],
  included: readonly Inclusion[],
  finalSlot: number,
): readonly Inclusion[] {
  const before = new Set(known.map(idOf));
  return [...known, ...included.filter(each => each.slot > finalSlot && !before.has(idOf(each)))];
}

async function endPart(deps: BackfillDeps, progress: BackfillProgress): Promise<BackfillProgress> {
  const { address, part, finalSlot, scannedSlot, tokenAccounts, unfinalized } = progress;
  await publishReached(deps, progress, part + 1);
  if (part > 0 || (scannedSlot <= finalSlot && unfinalized.length === 0))
    return { ...progress, phase: 'done' };
  return { ...progress, phase: 'recheck', rechecks: [address, ...tokenAccounts].map(listingOf) };
}

/** Publishes how far back the history is known. @param parts how many parts are read to their end */
async function publishReached(deps: BackfillDeps, progress: BackfillProgress, parts: number): Promise<void> {
  await publish(deps, reachedRecords(progress, progress.finalSlot, parts));
}

function reachedRecords(progress: BackfillProgress, slot: number, parts: number): NewMessage[] {
  const { network, address: account, watch, listings } = progress;
  const mentioned = mentionedSince(progress);
  if (mentioned === null) return [];
  // Of what does not mention the account nothing is known before the first part ends: until then token accounts are found.
  const since = (parts > 0 ? listedSince(progress) : null) ?? slot;
  const complete = listings.length === 0;
  const reached = { slot, parts, since, mentionedSince: mentioned, complete };
  return [newMessage({ type: 'backfilled', network, account, watch, ...reached })];
}

/**
 * Retracts what the final chain does not have, and notifies those who have read the history that it has more before its newest
 * transaction. @throws Error when the source does not show that.
 */
async function endRecheck(deps: BackfillDeps, progress: BackfillProgress): Promise<BackfillProgress> {
  const { network, source } = deps;
  const { address, unfinalized } = progress;
  const records: NewMessage[] = [];
  for (const inclusion of unfinalized.filter(each => !each.isFinal)) {
    const type = (await isFinal(source, inclusion)) ? 'finalized' : 'rolled-back';
    const accounts = [{ account: address, mints: inclusion.mints }];
    records.push(...outcomeRecords(type, network, inclusion, [{ signature: inclusion.signature, accounts }]));
  }
  if (progress.hasFoundMore) records.push(...reachedRecords(progress, lastRechecked(progress), 1));
  await publish(deps, records);
  return { ...progress, phase: 'done', unfinalized: [] };
}

/** Slots searched for the next final block after one that was abandoned. */
const MAX_SKIPPED = 10_000;

/**
 * Whether a block is on the final chain. That a node lacks it does not prove that it is not: only another block in its
 * slot, or a final one after it, does.
 * @throws Error when the source proves neither
 */
async function isFinal(source: SolanaSource, { slot, blockhash }: Inclusion): Promise<boolean> {
  const outcome = await source.header(slot, 'finalized');
  if ('found' in outcome) return outcome.found.blockhash === blockhash;
  const slots = await source.slots(slot, slot + MAX_SKIPPED, 'finalized');
  if (slots.includes(slot) || !slots.some(other => other > slot))
    throw new Error(`the source does not show whether block ${slot} is final: it is ${outcome.absent}`);
  return false;
}

/** True while the recheck has to wait for slots that were not final at the listing. */
export async function mustWait({ source }: BackfillDeps, progress: BackfillProgress): Promise<boolean> {
  return progress.phase === 'recheck' && (await source.slot('finalized')) < lastRechecked(progress);
}

/** The last slot that the recheck has to see final. */
function lastRechecked({ scannedSlot, unfinalized }: BackfillProgress): number {
  return Math.max(scannedSlot, ...unfinalized.map(({ slot }) => slot));
}

async function publish(
  { log, metrics }: BackfillDeps,
  records: readonly NewMessage[],
  deadLetters: readonly NewMessage[] = [],
): Promise<void> {
  if (records.length > 0) await log.publish(SOLANA_TRANSACTIONS.name, records);
  if (deadLetters.length > 0) await log.publish(SOLANA_DEAD_LETTERS.name, deadLetters);
  metrics.published(records.length);
  metrics.deadLettered(deadLetters.length, 'undecodable');
}
