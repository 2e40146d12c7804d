import { TON_MESSAGE_VERSION, TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../../contracts/network/network';
import type { Documents } from '../../../contracts/ports/documents';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import { concurrentMap } from '../../concurrent-map';
import type { IndexerMetrics } from '../../indexer';
import type { WatchedAccount } from '../../watches';
import { NO_TRANSACTION } from '../account-heads';
import type { VerifyContracts } from '../verify-contracts';
import { publish } from '../publisher';
import { newMessage, toRecord } from '../records';
import type { TonSource } from '../source';
import { readChain, type ChainLink } from '../transaction-chain';
import { ACCOUNT_STARTS, loadStart } from '../watched-accounts';
import { loadProgress, storeProgress, type BackfillProgress, type ChainRange } from './progress';
import { backfillTraces, type TracingDeps } from './traces';

export interface BackfillDeps extends TracingDeps {
  readonly verify: VerifyContracts;
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
/** Pages whose traces are resolved at a time, while the next ones are read. */
const PAGES_AT_ONCE = 4;

/** The pages of a range down to its floor, but at most so many. */
async function* pagesOf(
  source: TonSource,
  account: string,
  { next, floor }: ChainRange,
  maxPages: number,
  signal: AbortSignal,
): AsyncGenerator<readonly ChainLink[]> {
  let pages = 0;
  for await (const links of readChain(source, account, next, signal)) {
    yield links;
    if (++pages === maxPages || BigInt(links.at(-1)!.header.prev.lt) <= BigInt(floor)) return;
  }
}

/**
 * Publishes a range with its traces down to its floor, but at most `maxPages` pages of it. A page is there before its traces
 * are, and is stored as read after all of them.
 */
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

  /** Resolves when all is published but the traces that are in delivery; `traced` when these are too. */
  async function publishPage(links: readonly ChainLink[]) {
    const wanted = links.filter(({ header }) => BigInt(header.lt) > floor);
    const records = await Promise.all(
      wanted.map(({ cell, header }) => toRecord(cell, header, origin, verify)),
    );
    await publish(log, records, metrics);
    const { resolved, inDelivery } = await traces.ofPage(records, signal);
    await publish(log, resolved, metrics);
    const traced = inDelivery(signal).then(late => publish(log, late, metrics));
    traced.catch(() => undefined); // awaited below
    return { last: links.at(-1)!.header, traced };
  }

  let progress: BackfillProgress | null = null;
  let stored = Promise.resolve();
  try {
    const pages = pagesOf(source, account, range, maxPages, signal);
    for await (const { last, traced } of concurrentMap(pages, PAGES_AT_ONCE, publishPage)) {
      above.push(next);
      if (above.length > PAGES_ABOVE) above.shift();
      oldest = last.lt;
      next = last.prev;
      const isEnd = BigInt(next.lt) <= floor;
      const reached: BackfillProgress = isEnd
        ? { watch, covered: range.top.lt, first: oldest, range: null, complete: false }
        : { watch, covered, first, range: { ...range, next, above: above[0]! }, complete: false };
      progress = reached;
      if (covered === null && !isEnd) await publishReached(deps, account, watch, range.top, oldest);
      stored = Promise.all([stored, traced]).then(() => storeProgress(documents, network, account, reached));
      stored.catch(() => undefined); // awaited below
    }
    await stored;
  } finally {
    await stored.catch(() => undefined);
  }
  if (progress) return progress;
  const done = { watch, covered: range.top.lt, first: oldest, range: null, complete: false };
  await storeProgress(documents, network, account, done);
  return done;
}

/**
 * States that nothing from a transaction on is missing, for those who wait for a page. Not while the tail does not follow the
 * account from within what was read: something between the two may be missing.
 */
async function publishReached(
  { network, log, documents }: BackfillDeps,
  account: string,
  watch: number,
  top: TransactionRef,
  downTo: string,
): Promise<void> {
  const start = await loadStart(documents, network, account);
  if (start?.watch !== watch || BigInt(start.lt) > BigInt(top.lt)) return;
  await log.publish(TON_TRANSACTIONS.name, [backfilledMessage(network, account, watch, downTo)]);
}

function backfilledMessage(network: TonNetwork, account: string, watch: number, downTo: string): NewMessage {
  return newMessage({ type: 'backfilled', version: TON_MESSAGE_VERSION, network, account, downTo, watch });
}

async function finish(
  { network, log, documents }: BackfillDeps,
  account: string,
  progress: BackfillProgress,
): Promise<void> {
  const marker = backfilledMessage(network, account, progress.watch, NO_TRANSACTION.lt);
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
