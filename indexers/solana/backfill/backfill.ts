import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS, type Finality } from '../../../contracts/chain/solana';
import type { SolanaNetwork } from '../../../contracts/network';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import type { IndexerMetrics } from '../../indexer';
import { newMessage, outcomeRecords } from '../records';
import type { SolanaSource } from '../source';
import { readPage, type Inclusion } from './page';
import type { BackfillProgress } from './progress';

export interface BackfillOptions {
  /** Signatures read at a time; default 100. */
  readonly pageSize?: number;
  /** Signatures followed back for each listed account; default 10,000. */
  readonly maxDepth?: number;
  /** Milliseconds between two checks whether slots have become final; default 2,000. */
  readonly pollMs?: number;
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
  address: string,
  scannedSlot: number,
): Promise<BackfillProgress> {
  const finalSlot = await source.slot('finalized');
  // A transfer to a token account does not mention its owner: the owner's own list is not its whole history.
  const tokenAccounts = await source.tokenAccounts(address);
  return {
    network,
    address,
    phase: 'list',
    scannedSlot,
    finalSlot,
    pending: [address, ...tokenAccounts],
    tokenAccounts,
    before: null,
    listed: 0,
    complete: true,
    unfinalized: [],
  };
}

/** Stores the progress, so that a process that takes over continues there. */
type Store = (progress: BackfillProgress) => Promise<void>;

/**
 * Publishes the next page before it resolves to the new progress; returns the same progress when the backfill is done.
 * What may have to be retracted is stored before it is published, since the process may crash in between.
 *
 * There is no gap between backfill and tail: the tail looks for the account in every slot after `scannedSlot`. The listing
 * publishes everything that was final when it began, up to `finalSlot`, and provisionally what it finds above. Once
 * `scannedSlot` and everything found is final, the slots after `finalSlot` are listed again on the final chain, and what
 * is not on it is retracted.
 */
export async function nextPage(
  deps: BackfillDeps,
  progress: BackfillProgress,
  store: Store,
): Promise<BackfillProgress> {
  if (progress.phase === 'done') return progress;
  const [account] = progress.pending;
  if (account !== undefined) return listPage(deps, progress, account, store);
  return progress.phase === 'list' ? endListing(deps, progress) : endRecheck(deps, progress);
}

async function listPage(
  deps: BackfillDeps,
  progress: BackfillProgress,
  account: string,
  store: Store,
): Promise<BackfillProgress> {
  const { source, network, pageSize = 100, maxDepth = 10_000 } = deps;
  const { phase, address, finalSlot } = progress;
  const isListing = phase === 'list';
  const commitment: Finality = isListing ? 'confirmed' : 'finalized';
  const entries = await source.signatures(account, { before: progress.before, limit: pageSize }, commitment);
  const wanted = isListing ? entries : entries.filter(({ slot }) => slot > finalSlot);
  const page = await readPage(source, network, address, wanted, commitment, isListing ? finalSlot : Infinity);
  const unfinalized = isListing
    ? withUnfinalized(progress.unfinalized, page.included, finalSlot)
    : progress.unfinalized;
  if (unfinalized.length > progress.unfinalized.length) await store({ ...progress, unfinalized });
  await publish(deps, page.records, page.deadLetters);

  const found = page.tokenAccounts.filter(
    token => token !== address && !progress.tokenAccounts.includes(token),
  );
  const listed = progress.listed + entries.length;
  const isTooLong = isListing && listed >= maxDepth;
  const isLast = entries.length === 0 || wanted.length < entries.length || isTooLong;
  const final = new Set(page.included.map(idOf));
  return {
    ...progress,
    tokenAccounts: [...progress.tokenAccounts, ...found],
    pending: [...(isLast ? progress.pending.slice(1) : progress.pending), ...found],
    before: isLast ? null : entries.at(-1)!.signature,
    listed: isLast ? 0 : listed,
    complete: progress.complete && !isTooLong,
    unfinalized: isListing ? unfinalized : unfinalized.filter(each => !final.has(idOf(each))),
  };
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

async function endListing(deps: BackfillDeps, progress: BackfillProgress): Promise<BackfillProgress> {
  const { network, address, finalSlot, scannedSlot, complete, tokenAccounts, unfinalized } = progress;
  await publish(deps, [
    newMessage({ type: 'backfilled', network, account: address, slot: finalSlot, complete }),
  ]);
  if (scannedSlot <= finalSlot && unfinalized.length === 0) return { ...progress, phase: 'done' };
  return { ...progress, phase: 'recheck', pending: [address, ...tokenAccounts] };
}

async function endRecheck(deps: BackfillDeps, progress: BackfillProgress): Promise<BackfillProgress> {
  const { network, address, unfinalized } = progress;
  const orphaned = unfinalized.flatMap(inclusion =>
    outcomeRecords('rolled-back', network, inclusion, [
      { signature: inclusion.signature, accounts: [{ account: address, mints: inclusion.mints }] },
    ]),
  );
  await publish(deps, orphaned);
  return { ...progress, phase: 'done', unfinalized: [] };
}

/** True while the recheck has to wait for slots that were not final at the listing. */
export async function mustWait({ source }: BackfillDeps, progress: BackfillProgress): Promise<boolean> {
  if (progress.phase !== 'recheck') return false;
  const newest = Math.max(progress.scannedSlot, ...progress.unfinalized.map(({ slot }) => slot));
  return (await source.slot('finalized')) < newest;
}

async function publish(
  { log, metrics }: BackfillDeps,
  records: readonly NewMessage[],
  deadLetters: readonly NewMessage[] = [],
): Promise<void> {
  if (records.length > 0) await log.publish(SOLANA_TRANSACTIONS.name, records);
  if (deadLetters.length > 0) await log.publish(SOLANA_DEAD_LETTERS.name, deadLetters);
  metrics.published(records.length);
  metrics.deadLettered(deadLetters.length);
}
