import type { Logger } from 'pino';
import { messageOf } from '../../contracts/text/error-message';
import type { TonNetwork } from '../../contracts/network/network';
import type { Documents } from '../../contracts/ports/documents';
import type { Log } from '../../contracts/ports/log';
import { batches, concurrentMap } from '../concurrent-map';
import { Gap } from '../gap';
import type { IndexerMetrics, IndexScope } from '../indexer';
import { loadHeads } from './account-heads';
import { fetchRecords, selectTransactions, type SelectedBlock } from './block-transactions';
import { cursorFence, cursorWrite, type Cursor } from './cursor';
import type { VerifyContracts } from './verify-contracts';
import { publish, type Publishable } from './publisher';
import { reconcile, type FetchedBlock } from './reconcile';
import type { LogRecord } from './records';
import { expectIndexed, fetchBlock, resumeCursor } from './resume';
import type { TonSource } from './source';
import type { TailLocks } from './tail-locks';
import { loadTraceFollower, type TraceFollower } from './traces/follower';

export interface TailDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  /** Verifies the contracts that transactions name. */
  readonly verify: VerifyContracts;
  readonly log: Log;
  readonly documents: Documents;
  readonly logger: Logger;
  readonly metrics: IndexerMetrics;
  readonly scope: IndexScope;
  /** Blocks read ahead of the one being published. */
  readonly concurrency: number;
  /** Longest wait in milliseconds before looking for a new block. */
  readonly pollMs: number;
  /** Milliseconds before a block that is not available yet, or a batch of newly watched accounts, is retried. */
  readonly retryMs: number;
  /** The masterchain block after which indexing starts when there is no cursor; default: the newest. */
  readonly startAfter?: number;
  /** Called with the blocks that were published, with what each lists of all accounts, followed or not; again after a crash. */
  readonly onPublished?: (blocks: readonly PublishedBlock[]) => Promise<void>;
  /** Masterchain blocks after which a trace is abandoned; default: ten minutes of the main network. */
  readonly maxTraceAge?: number;
}

/** A masterchain block, and how many transactions each account (raw) has in it. */
export interface PublishedBlock {
  readonly seqno: number;
  readonly transactions: ReadonlyMap<string, number>;
  /** The internal messages that followed accounts received, with the accounts that sent them (raw). */
  readonly received: readonly { readonly from: string; readonly to: string }[];
}

/** Called as the tail advances, for the status and for accounts that become watched. */
export interface TailProgress {
  tip(seqno: number): void;
  indexed(seqno: number): Promise<void>;
  /** The transactions of this block are being selected, without those of accounts that are watched later. */
  selecting(seqno: number): void;
}

const MAX_BATCH_TRANSACTIONS = 2_000;

function* range(first: number, last: number): Generator<number> {
  for (let seqno = first; seqno <= last; seqno++) yield seqno;
}

/** What `followChain` is given. */
interface Tail {
  readonly deps: TailDeps;
  readonly locks: TailLocks;
  readonly progress: TailProgress;
  readonly signal: AbortSignal;
}

/**
 * The blocks after the cursor. That of the cursor is read again beside them: a fork may have replaced it, and is then noticed at
 * its first block beyond the cursor.
 */
async function* selectBlocks(
  { deps, locks, progress, signal }: Tail,
  from: Cursor,
  tip: number,
): AsyncGenerator<SelectedBlock> {
  if (tip === from.seqno) return;
  let before = from;
  const fetch = (seqno: number) => fetchBlock(deps, seqno, signal);
  for await (const block of concurrentMap(range(from.seqno, tip), deps.concurrency, fetch)) {
    if (block.seqno === from.seqno) {
      expectIndexed(deps.network, block, from);
      continue;
    }
    const selected = await locks.selecting.runExclusive(async () => {
      progress.selecting(block.seqno);
      return selectTransactions(deps.documents, deps.network, deps.scope, before, block);
    });
    before = selected.cursor;
    yield selected;
  }
}

async function fetchTransactions({ deps, signal }: Tail, selected: SelectedBlock): Promise<FetchedBlock> {
  const { block, accounts } = selected;
  try {
    return { ...selected, records: await fetchRecords(deps, block, accounts, signal) };
  } catch (error) {
    signal.throwIfAborted();
    throw new Gap(block.seqno, messageOf(error), { cause: error });
  }
}

/**
 * Publishes blocks in order, then advances heads, traces and cursor in one commit. Blocks before one that cannot be
 * reconciled are still published.
 */
async function publishBlocks(
  { deps, signal }: Tail,
  traces: TraceFollower,
  blocks: readonly FetchedBlock[],
  before: Cursor,
  tip: number,
): Promise<Cursor> {
  const accounts = blocks.flatMap(block => [...block.accounts.keys()]);
  const heads = await loadHeads(deps.documents, deps.network, accounts);
  const records: Publishable[] = [];
  const published: PublishedBlock[] = [];
  let last: FetchedBlock | undefined;
  let failure: unknown;
  for (const block of blocks) {
    let chain: LogRecord[];
    try {
      chain = await reconcile(deps, heads, block, signal);
    } catch (error) {
      failure = error;
      break;
    }
    records.push(...(await traces.follow(block, chain, signal)));
    const listed = [...block.listed].map(([account, { length }]) => [account, length] as const);
    const { seqno } = block.block;
    published.push({ seqno, transactions: new Map(listed), received: chain.flatMap(receivedIn) });
    last = block;
  }
  if (last) {
    await publish(deps.log, records, deps.metrics);
    await deps.onPublished?.(published);
    await deps.documents.commit({
      writes: [...heads.writes(), ...traces.writes(), cursorWrite(deps.network, last.cursor, tip)],
      checkpoint: cursorFence(deps.network, before, last.cursor),
    });
    traces.committed();
  }
  if (failure) throw failure;
  return last!.cursor;
}

/** What one transaction received, if anything. */
function receivedIn({ transaction }: LogRecord): PublishedBlock['received'] {
  const info = transaction?.inMessage?.info;
  return info?.type === 'internal' ? [{ from: info.src, to: info.dest }] : [];
}

/**
 * Follows the chain from the stored cursor until the signal.
 * @param locks against changes of the watched accounts
 * @throws Gap, WrongNetwork, and errors of the ports
 */
export async function followChain(
  deps: TailDeps,
  locks: TailLocks,
  progress: TailProgress,
  signal: AbortSignal,
): Promise<never> {
  const tail: Tail = { deps, locks, progress, signal };
  let tip = await deps.source.tip(signal);
  let cursor = await resumeCursor(deps, tip, signal);
  const traces = await loadTraceFollower(deps);
  for (;;) {
    progress.tip(tip);
    await progress.indexed(cursor.seqno);
    const selected = selectBlocks(tail, cursor, tip);
    const fetched = concurrentMap(selected, deps.concurrency, block => fetchTransactions(tail, block));
    for await (const blocks of batches(fetched, MAX_BATCH_TRANSACTIONS, ({ records }) => 1 + records.size)) {
      const before = cursor;
      cursor = await locks.publishing.runExclusive(() => publishBlocks(tail, traces, blocks, before, tip));
      await progress.indexed(cursor.seqno);
    }
    await deps.source.waitForBlock(deps.pollMs, signal);
    signal.throwIfAborted();
    tip = await deps.source.tip(signal);
    if (tip < cursor.seqno) cursor = await resumeCursor(deps, tip, signal);
  }
}
