import { WATCH_CATEGORY, watchEvents } from '../../contracts/events/watch';
import type { SolanaNetwork } from '../../contracts/network';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Checkpoint, Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';

export interface WatchSet {
  has(account: string): boolean;
  readonly size: number;
  /** Adds accounts as they are watched, until the signal. */
  follow(signal: AbortSignal): Promise<void>;
}

/**
 * The watched accounts of a network, all of them before this resolves. `joined` is called once for each account, also
 * over restarts but for a crash in between, after it has joined: whoever asks the set from then on finds it.
 * @throws CheckpointMoved, also from `follow`, when another process follows the network
 */
export async function openWatchSet(deps: {
  readonly network: SolanaNetwork;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly joined: (account: string) => Promise<void>;
}): Promise<WatchSet> {
  const { network, store, documents, joined } = deps;
  const name = `indexer-solana-watch-${network}`;
  let checkpoint = await documents.checkpoint(name);
  const told = checkpoint && 'position' in checkpoint ? checkpoint.position : BEGINNING;
  const accounts = new Set<string>();

  const take = async (events: readonly RecordedEvent[], position: Position): Promise<void> => {
    const watched = events.flatMap(event => watchedAccount(event, network) ?? []);
    for (const account of watched) accounts.add(account);
    if (position <= told) return;
    for (const account of watched) await joined(account);
    const value: Checkpoint = { position };
    await documents.commit({ writes: [], checkpoint: { name, value, expect: checkpoint } });
    checkpoint = value;
  };

  let seen: Position = BEGINNING;
  for await (const events of store.readAll({ categories: [WATCH_CATEGORY] })) {
    if (events.length === 0) continue;
    const before = events.filter(({ position }) => position <= told);
    const after = events.filter(({ position }) => position > told);
    seen = events.at(-1)!.position;
    if (before.length > 0) await take(before, told);
    if (after.length > 0) await take(after, seen);
  }

  return {
    has: account => accounts.has(account),
    get size() {
      return accounts.size;
    },
    async follow(signal) {
      for await (const { events, position } of store.subscribe({
        after: seen,
        categories: [WATCH_CATEGORY],
        signal,
      })) {
        seen = position;
        if (events.length > 0) await take(events, position);
      }
    },
  };
}

/** The account of this network that an event has watched; null when it is of another. */
export function watchedAccount(event: RecordedEvent, network: SolanaNetwork): string | null {
  const { data } = watchEvents.read(event);
  return data.chain === 'solana' && data.network === network ? data.address : null;
}
