import { WATCH_CATEGORY } from '../../contracts/events/watch';
import type { SolanaNetwork } from '../../contracts/network/network';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Checkpoint, Documents, Write } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { changedWatches, type WatchedAccount } from '../watches';
import { forgetProgress, loadProgress } from './backfill/progress';

interface WatchedAccounts {
  has(account: string): boolean;
  readonly size: number;
  /** Adds accounts as they become watched, and removes those whose watch has expired, until the signal. */
  follow(signal: AbortSignal): Promise<void>;
}

/**
 * The progress of their backfills is forgotten. That of a later watch stays: after a migration the progress is there, and all
 * events are read again.
 */
async function forgetWrites(
  documents: Documents,
  network: SolanaNetwork,
  expired: readonly WatchedAccount[],
): Promise<Write[]> {
  const writes: Write[] = [];
  for (const { address, watch } of expired) {
    const progress = await loadProgress(documents, network, address);
    if (progress && progress.watch <= watch) writes.push(forgetProgress(network, address));
  }
  return writes;
}

/**
 * The watched accounts of a network, all loaded before this resolves. `onWatched` is called for each watch after its account
 * was added: once, also across restarts, but again after a crash before the checkpoint moved.
 * @throws CheckpointMoved, also from `follow`, when another process follows the network
 */
export async function openWatchedAccounts(deps: {
  readonly network: SolanaNetwork;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly onWatched: (account: WatchedAccount) => Promise<void>;
}): Promise<WatchedAccounts> {
  const { network, store, documents, onWatched } = deps;
  const name = `indexer-solana-watch-${network}`;
  let checkpoint = await documents.checkpoint(name);
  const handled = checkpoint && 'position' in checkpoint ? checkpoint.position : BEGINNING;
  const accounts = new Set<string>();

  const apply = async (events: readonly RecordedEvent[], position: Position): Promise<void> => {
    const { watched, begun, expired } = changedWatches({ chain: 'solana', network }, events);
    for (const { address } of watched) accounts.add(address);
    for (const { address } of expired) accounts.delete(address);
    if (position <= handled) return;
    for (const account of begun) await onWatched(account);
    const writes = await forgetWrites(documents, network, expired);
    const value: Checkpoint = { position };
    await documents.commit({ writes, checkpoint: { name, value, expect: checkpoint } });
    checkpoint = value;
  };

  let read: Position = BEGINNING;
  for await (const events of store.readAll({ categories: [WATCH_CATEGORY] })) {
    if (events.length === 0) continue;
    const before = events.filter(({ position }) => position <= handled);
    const after = events.filter(({ position }) => position > handled);
    read = events.at(-1)!.position;
    if (before.length > 0) await apply(before, handled);
    if (after.length > 0) await apply(after, read);
  }

  return {
    has: account => accounts.has(account),
    get size() {
      return accounts.size;
    },
    async follow(signal) {
      for await (const { events, position } of store.subscribe({
        after: read,
        categories: [WATCH_CATEGORY],
        signal,
      })) {
        read = position;
        if (events.length > 0) await apply(events, position);
      }
    },
  };
}
