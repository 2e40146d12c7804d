import type { NewMessage } from '../../../contracts/ports/log';
import { outcomeRecords } from '../records';
import type { SolanaSource } from '../source';
import type { BackfillDeps } from './deps';
import { advanced, DEFAULT_PAGE_SIZE, listedAfter, newTokenAccounts } from './listing';
import { inclusionId, readPage, type Inclusion } from './page';
import { listingOf, type BackfillProgress, type Listing } from './progress';
import { publish, reachedRecords } from './publish';

/** Publishes the next page of the slots that were not final at the listing, on the final chain. */
export async function recheckPage(
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
  const final = new Set(page.included.map(inclusionId));
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
      final.has(inclusionId(each)) ? { ...each, isFinal: true } : each,
    ),
    hasFoundMore: progress.hasFoundMore || isFoundNow,
  };
}

/**
 * Retracts what the final chain does not have, and notifies those who have read the history that it has more before its newest
 * transaction. @throws Error when the source does not show that.
 */
export async function endRecheck(deps: BackfillDeps, progress: BackfillProgress): Promise<BackfillProgress> {
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
