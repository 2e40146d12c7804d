import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { WATCH_CATEGORY } from '../../contracts/events/watch';
import type { TonNetwork } from '../../contracts/network/network';
import {
  CheckpointMoved,
  type Checkpoint,
  type CollectionSpec,
  type Document,
  type Documents,
  type Write,
} from '../../contracts/ports/documents';
import type { EventBatch, EventStore } from '../../contracts/ports/event-store';
import { BEGINNING } from '../../contracts/position';
import { concurrentMap } from '../concurrent-map';
import type { IndexScope } from '../indexer';
import { changedWatches, type WatchedAccount } from '../watches';
import { ACCOUNT_HEADS, accountId, headWrite, loadHeads, NO_TRANSACTION } from './account-heads';
import { BACKFILLS } from './backfill/progress';
import type { TonSource } from './source';
import type { TailLocks } from './tail-locks';

/** One document for each watched account: its newest transaction when the tail began to follow it. */
export const ACCOUNT_STARTS: CollectionSpec = { name: 'indexer_ton_account_starts', indexes: [] };

type StartDocument = Document & { account: string; watch: number; lt: string; hash: string };

/** Where the tail began to follow an account. */
export interface AccountStart extends TransactionRef {
  /** The number of the watch for which it does. */
  readonly watch: number;
}

/** The newest transaction of an account when the tail began to follow it; null while it does not. */
export function loadStart(
  documents: Documents,
  network: TonNetwork,
  account: string,
): Promise<AccountStart | null> {
  return documents.get<StartDocument>(ACCOUNT_STARTS.name, accountId(network, account));
}

interface WatchDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly logger: Logger;
  readonly scope: IndexScope;
  /** Milliseconds before a batch of newly watched accounts is retried after an error. */
  readonly retryMs: number;
  /** The newest block whose transactions the tail has selected; null before the tail has started. */
  selected(): number | null;
}

const CONCURRENCY = 16;

const checkpointName = (network: TonNetwork): string => `indexer-ton-watch-${network}`;

/** Stores the newest transaction of an account when the tail begins to follow it. */
export function startWrite(
  network: TonNetwork,
  account: string,
  watch: number,
  { lt, hash }: TransactionRef,
): Write {
  const id = accountId(network, account);
  return { collection: ACCOUNT_STARTS.name, id, document: { _id: id, account, watch, lt, hash } };
}

/** The watch that the tail follows of an account; 0 for none. */
type StartedWatch = (address: string) => number;

async function startedWatches(
  { documents, network }: WatchDeps,
  accounts: readonly WatchedAccount[],
): Promise<StartedWatch> {
  const ids = accounts.map(({ address }) => accountId(network, address));
  const stored = await documents.getMany<StartDocument>(ACCOUNT_STARTS.name, ids);
  return address => stored.get(accountId(network, address))?.watch ?? 0;
}

/** Nothing of the account remains but what is on the log. A network that is followed as a whole keeps its head. */
function forgetWrites({ network, scope }: WatchDeps, account: string): Write[] {
  const id = accountId(network, account);
  const collections = [ACCOUNT_STARTS, BACKFILLS, ...(scope === 'watched' ? [ACCOUNT_HEADS] : [])];
  return collections.map(({ name }) => ({ collection: name, id, document: null }));
}

/** Starts to follow accounts that are watched, also those that were watched again in the meantime. */
async function startWrites(
  deps: WatchDeps,
  watched: readonly WatchedAccount[],
  started: StartedWatch,
  signal: AbortSignal,
): Promise<Write[]> {
  const { network, documents, source } = deps;
  const added = watched.filter(({ address, watch }) => started(address) < watch);
  if (added.length === 0) return [];
  const selected = deps.selected();
  if (selected === null) throw new Error('the tail has not started');
  const tip = await source.tip(signal);
  if (tip < selected) throw new Error(`the source is at block ${tip}, behind ${selected}`);
  const accounts = added.map(({ address }) => address);
  const heads = await loadHeads(documents, network, accounts);
  const start = async ({ address: account, watch }: WatchedAccount): Promise<Write[]> => {
    const head = heads.get(account);
    if (head) return [startWrite(network, account, watch, head)];
    const last = (await source.last(account, tip, signal)) ?? NO_TRANSACTION;
    return [startWrite(network, account, watch, last), headWrite(network, account, last)];
  };
  const writes: Write[] = [];
  for await (const written of concurrentMap(added, CONCURRENCY, start)) writes.push(...written);
  return writes;
}

async function applyWatches(
  deps: WatchDeps,
  { selecting, publishing }: TailLocks,
  { events, position }: EventBatch,
  expect: Checkpoint | null,
  signal: AbortSignal,
): Promise<Checkpoint> {
  const { network, documents } = deps;
  const { watched, expired } = changedWatches({ chain: 'ton', network }, events);
  const value: Checkpoint = { position };
  return selecting.runExclusive(async () => {
    const started = await startedWatches(deps, [...watched, ...expired]);
    const writes = await startWrites(deps, watched, started, signal);
    // After a migration the tail follows later watches than the events that are read again: what they end was over before.
    const ended = expired.filter(({ address, watch }) => started(address) <= watch);
    writes.push(...ended.flatMap(({ address }) => forgetWrites(deps, address)));
    const commit = async (): Promise<void> =>
      documents.commit({ writes, checkpoint: { name: checkpointName(network), value, expect } });
    // Not while the tail publishes: it would store the heads of forgotten accounts again.
    await (ended.length > 0 ? publishing.runExclusive(commit) : commit());
    return value;
  });
}

/**
 * Makes the tail follow accounts as they become watched, and no longer when their watch has expired. Accounts are added only
 * between two selections of the tail, and their heads are read at a block that is not before any selected one. So
 * transactions up to the head are published by the backfill, newer ones by the tail, and none is missed.
 * @throws CheckpointMoved when another process follows the network
 */
export async function followWatchedAccounts(
  deps: WatchDeps,
  locks: TailLocks,
  signal: AbortSignal,
): Promise<void> {
  const { store, documents, network, logger } = deps;
  let stored = await documents.checkpoint(checkpointName(network));
  const after = stored && 'position' in stored ? stored.position : BEGINNING;
  for await (const batch of store.subscribe({
    after,
    categories: [WATCH_CATEGORY],
    batchSize: 200,
    signal,
  })) {
    if (batch.events.length === 0) continue;
    for (;;) {
      try {
        stored = await applyWatches(deps, locks, batch, stored, signal);
        break;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof CheckpointMoved) throw error;
        logger.debug({ err: error, network }, 'newly watched ton accounts not followed yet, retrying');
        await sleep(deps.retryMs, undefined, { signal });
      }
    }
  }
}
