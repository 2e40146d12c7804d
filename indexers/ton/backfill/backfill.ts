import { TON_MESSAGE_VERSION, TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { Documents } from '../../../contracts/ports/documents';
import type { Log } from '../../../contracts/ports/log';
import type { IndexerMetrics } from '../../indexer';
import type { WatchedAccount } from '../../watches';
import { NO_TRANSACTION } from '../account-heads';
import type { VerifyJettonWallets } from '../jetton-wallets';
import { publish } from '../publisher';
import { newMessage, toRecord } from '../records';
import { readChain } from '../transaction-chain';
import { ACCOUNT_STARTS, loadStart } from '../watched-accounts';
import { loadProgress, storeProgress, type BackfillProgress, type ChainRange } from './progress';
import { backfillTraces, type TracingDeps } from './traces';

export interface BackfillDeps extends TracingDeps {
  readonly verify: VerifyJettonWallets;
  readonly log: Log;
  readonly documents: Documents;
  readonly metrics: IndexerMetrics;
  /** Milliseconds to wait for the tail to follow the account; default 1,000. */
  readonly waitMs?: number;
  /** Pages read by one call; default 50. */
  readonly maxPages?: number;
}

/** Newest transaction when the tail began to follow an account (the tail publishes newer ones); null before that. */
async function waitForStart(
  { documents, network, waitMs = 1_000 }: BackfillDeps,
  { address, watch }: WatchedAccount,
): Promise<TransactionRef | null> {
  const find = async (): Promise<TransactionRef | null> => {
    const start = await loadStart(documents, network, address);
    return start?.watch === watch ? start : null;
  };
  const changed = documents.waitForChange([ACCOUNT_STARTS.name], waitMs);
  const found = await find();
  if (found) return found;
  await changed;
  return find();
}

/** Pages kept above the next one: what transactions of the next one caused is found there. */
const PAGES_ABOVE = 3;

/** Publishes a range with its traces down to its floor, but at most `maxPages` pages of it. */
async function publishRange(
  deps: BackfillDeps,
  account: string,
  { watch, covered, first }: BackfillProgress,
  range: ChainRange,
  signal: AbortSignal,
): Promise<BackfillProgress> {
  const { network, source, verify, log, documents, metrics, maxPages = 50 } = deps;
  const origin = { network, account, seqno: null, origin: 'backfill' } as const;
  const floor = BigInt(range.floor);
  let { next } = range;
  let oldest = range.top.lt;
  const above = range.above ? [range.above] : [];
  const traces = backfillTraces(deps, account, range.above && { from: range.above, to: next });
  let pages = 0;
  for await (const links of readChain(source, account, next, signal)) {
    const wanted = links.filter(({ header }) => BigInt(header.lt) > floor);
    const records = await Promise.all(
      wanted.map(({ cell, header }) => toRecord(cell, header, origin, verify)),
    );
    await publish(log, records, metrics);
    await publish(log, await traces.ofPage(records, signal), metrics);
    above.push(next);
    if (above.length > PAGES_ABOVE) above.shift();
    const { header } = links.at(-1)!;
    oldest = header.lt;
    next = header.prev;
    if (BigInt(next.lt) <= floor) break;
    const progress = { watch, covered, first, range: { ...range, next, above: above[0]! }, complete: false };
    await storeProgress(documents, network, account, progress);
    if (++pages === maxPages) return progress;
  }
  const done = { watch, covered: range.top.lt, first: oldest, range: null, complete: false };
  await storeProgress(documents, network, account, done);
  return done;
}

async function finish(
  { network, log, documents }: BackfillDeps,
  account: string,
  progress: BackfillProgress,
): Promise<void> {
  const marker = newMessage({
    type: 'backfilled',
    version: TON_MESSAGE_VERSION,
    network,
    account,
    downTo: NO_TRANSACTION.lt,
    watch: progress.watch,
  });
  await log.publish(TON_TRANSACTIONS.name, [marker]);
  await storeProgress(documents, network, account, { ...progress, complete: true });
}

const rangeTo = (top: TransactionRef, floor: string): ChainRange => ({ top, next: top, above: null, floor });

/**
 * Publishes the next pages of the history of an account, newest first, so that the first page is available soon. It begins
 * at the newest transaction, without waiting for the tail, and afterwards fills the range between that and the transaction
 * at which the tail began to follow the account. If the account was deleted and created again in between, its chain ends
 * before that transaction, from which the backfill then continues. A `backfilled` message then states that nothing is missing.
 * @returns true when the history is complete; false when it has to be called again, which continues from the stored progress
 */
export async function backfill(
  deps: BackfillDeps,
  watched: WatchedAccount,
  signal: AbortSignal,
): Promise<boolean> {
  const { network, source, documents } = deps;
  const { address: account, watch } = watched;
  let progress = await loadProgress(documents, network, account, watch);
  while (!progress.complete) {
    const { covered, first, range } = progress;
    if (range) {
      progress = await publishRange(deps, account, progress, range, signal);
      if (progress.range) return false;
    } else if (covered === null || first === null) {
      const newest = await source.last(account, await source.tip(signal), signal);
      progress = { ...progress, range: rangeTo(newest ?? NO_TRANSACTION, NO_TRANSACTION.lt) };
    } else {
      const start = await waitForStart(deps, watched);
      if (!start) return false;
      const isCovered = BigInt(start.lt) <= BigInt(covered);
      if (isCovered && BigInt(start.lt) >= BigInt(first)) {
        await finish(deps, account, progress);
        return true;
      }
      progress = { ...progress, range: rangeTo(start, isCovered ? NO_TRANSACTION.lt : covered) };
    }
  }
  return true;
}
