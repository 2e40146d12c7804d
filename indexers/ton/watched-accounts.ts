import { setTimeout as sleep } from 'node:timers/promises';
import type { Mutex } from 'async-mutex';
import type { Logger } from 'pino';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { WATCH_CATEGORY, watchEvents } from '../../contracts/events/watch';
import type { AccountRef, TonNetwork } from '../../contracts/network';
import {
  CheckpointMoved,
  type Checkpoint,
  type CollectionSpec,
  type Document,
  type Documents,
  type Write,
} from '../../contracts/ports/documents';
import type { EventBatch, EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { BEGINNING } from '../../contracts/position';
import { concurrentMap } from '../concurrent-map';
import { accountId, headWrite, loadHeads, NO_TRANSACTION } from './account-heads';
import type { TonSource } from './source';

/** One document for each watched account: its newest transaction when the tail began to follow it. */
export const ACCOUNT_STARTS: CollectionSpec = { name: 'indexer_ton_account_starts', indexes: [] };

type StartDocument = Document & { account: string; lt: string; hash: string };

type TonAccountRef = Extract<AccountRef, { chain: 'ton' }>;

/** The account that an event of the category `watch` names; null when it is of another chain. */
export function watchedTonAccount(event: RecordedEvent): TonAccountRef | null {
  const { data } = watchEvents.read(event);
  return data.chain === 'ton' ? data : null;
}

/** The newest transaction of an account when the tail began to follow it; null while it does not. */
export function loadStart(
  documents: Documents,
  network: TonNetwork,
  account: string,
): Promise<TransactionRef | null> {
  return documents.get<StartDocument>(ACCOUNT_STARTS.name, accountId(network, account));
}

interface WatchDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly logger: Logger;
  /** Milliseconds before a batch of newly watched accounts is retried after an error. */
  readonly retryMs: number;
  /** The newest block whose transactions the tail has selected; null before the tail has started. */
  selected(): number | null;
}

const CONCURRENCY = 16;

const checkpointName = (network: TonNetwork): string => `indexer-ton-watch-${network}`;

/** Stores the newest transaction of an account when the tail begins to follow it. */
export function startWrite(network: TonNetwork, account: string, { lt, hash }: TransactionRef): Write {
  const id = accountId(network, account);
  return { collection: ACCOUNT_STARTS.name, id, document: { _id: id, account, lt, hash } };
}

async function startedAccounts(
  documents: Documents,
  network: TonNetwork,
  accounts: readonly string[],
): Promise<string[]> {
  const ids = accounts.map(account => accountId(network, account));
  const stored = await documents.getMany<StartDocument>(ACCOUNT_STARTS.name, ids);
  return [...stored.values()].map(({ account }) => account);
}

async function startFollowing(
  deps: WatchDeps,
  { events, position }: EventBatch,
  expect: Checkpoint | null,
  signal: AbortSignal,
): Promise<Checkpoint> {
  const { network, documents, source } = deps;
  const accounts = new Set(
    events
      .map(watchedTonAccount)
      .filter(watched => watched?.network === network)
      .map(watched => watched!.address),
  );
  for (const started of await startedAccounts(documents, network, [...accounts])) accounts.delete(started);
  const writes: Write[] = [];
  if (accounts.size > 0) {
    const selected = deps.selected();
    if (selected === null) throw new Error('the tail has not started');
    const tip = await source.tip(signal);
    if (tip < selected) throw new Error(`the source is at block ${tip}, behind ${selected}`);
    const heads = await loadHeads(documents, network, [...accounts]);
    const start = async (account: string): Promise<Write[]> => {
      const head = heads.get(account);
      if (head) return [startWrite(network, account, head)];
      const last = (await source.last(account, tip, signal)) ?? NO_TRANSACTION;
      return [startWrite(network, account, last), headWrite(network, account, last)];
    };
    for await (const written of concurrentMap(accounts, CONCURRENCY, start)) writes.push(...written);
  }
  const value: Checkpoint = { position };
  await documents.commit({ writes, checkpoint: { name: checkpointName(network), value, expect } });
  return value;
}

/**
 * Makes the tail follow accounts as they become watched. Accounts are added only between two selections of the tail, and
 * their heads are read at a block that is not before any selected one. So transactions up to the head are published by the
 * backfill, newer ones by the tail, and none is missed.
 * @throws CheckpointMoved when another process follows the network
 */
export async function followWatchedAccounts(
  deps: WatchDeps,
  mutex: Mutex,
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
    for (;;) {
      try {
        stored = await mutex.runExclusive(() => startFollowing(deps, batch, stored, signal));
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
