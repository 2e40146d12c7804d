import { WATCH_CATEGORY, watchEvents } from '../../contracts/events/watch';
import type { SolanaNetwork } from '../../contracts/network';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Checkpoint, Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';

interface WatchedAccounts {
  has(account: string): boolean;
  readonly size: number;
  /** Adds accounts as they become watched, until the signal. */
  follow(signal: AbortSignal): Promise<void>;
}

/**
 * The watched accounts of a network, all loaded before this resolves. `onWatched` is called for each account after it was
 * added: once, also across restarts, but again after a crash before the checkpoint moved.
 * @throws CheckpointMoved, also from `follow`, when another process follows the network
 */
export async function openWatchedAccounts(deps: {
  readonly network: SolanaNetwork;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly onWatched: (account: string) => Promise<void>;
}): Promise<WatchedAccounts> {
  const { network, store, documents, onWatched } = deps;
  const name = `indexer-solana-watch-${network}`;
  let checkpoint = await documents.checkpoint(name);
  const handled = checkpoint && 'position' in checkpoint ? checkpoint.position : BEGINNING;
  const accounts = new Set<string>();

  const add = async (events: readonly RecordedEvent[], position: Position): Promise<void> => {
    const watched = events.flatMap(event => watchedSolanaAccount(event, network) ?? []);
    for (const account of watched) accounts.add(account);
    if (position <= handled) return;
    for (const account of watched) await onWatched(account);
    const value: Checkpoint = { position };
    await documents.commit({ writes: [], checkpoint: { name, value, expect: checkpoint } });
    checkpoint = value;
  };

  let read: Position = BEGINNING;
  for await (const events of store.readAll({ categories: [WATCH_CATEGORY] })) {
    if (events.length === 0) continue;
    const before = events.filter(({ position }) => position <= handled);
    const after = events.filter(({ position }) => position > handled);
    read = events.at(-1)!.position;
    if (before.length > 0) await add(before, handled);
    if (after.length > 0) await add(after, read);
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
        if (events.length > 0) await add(events, position);
      }
    },
  };
}

/** The account of this network that an event of the category `watch` names; null when it is of another. */
export function watchedSolanaAccount(event: RecordedEvent, network: SolanaNetwork): string | null {
  const { data } = watchEvents.read(event);
  return data.chain === 'solana' && data.network === network ? data.address : null;
}
