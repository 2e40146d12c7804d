import { endsWatch, WATCH_CATEGORY, watchEvents, watchStream } from '../contracts/events/watch';
import type { AccountRef } from '../contracts/network/network';
import type { EventStore, RecordedEvent } from '../contracts/ports/event-store';

/** An account whose history is read. */
export interface WatchedAccount {
  /** Of TON: raw. */
  readonly address: string;
  /** The number of its watch. */
  readonly watch: number;
}

/** The current watch of an account, and the `CallerSource` of its first read; null while it is not watched. */
export async function findWatch(
  store: Pick<EventStore, 'readStream'>,
  account: AccountRef,
): Promise<(Pick<WatchedAccount, 'watch'> & { readonly source: string | null }) | null> {
  let watch: number | null = null;
  for await (const recorded of store.readStream(watchStream(account), { direction: 'backwards' })) {
    const { type, data } = watchEvents.read(recorded);
    if (endsWatch(type)) break;
    watch = data.watch;
    if (type === 'AccountWatched') return { watch, source: data.source };
  }
  return watch === null ? null : { watch, source: null };
}

/** What events leave of the accounts that they name. */
interface ChangedWatches {
  /** In the order in which they are named first. */
  readonly watched: readonly WatchedAccount[];
  /** Those of `watched` of which the beginning of a watch is among the events. */
  readonly begun: readonly WatchedAccount[];
  /** Those that are not watched any more, with the watch that has ended. */
  readonly expired: readonly WatchedAccount[];
}

/** What events of the category `watch` leave of each account of a network: its watch, or the end of it. */
export function changedWatches(
  { chain, network }: Pick<AccountRef, 'chain' | 'network'>,
  events: readonly RecordedEvent[],
): ChangedWatches {
  const last = new Map<string, { readonly account: WatchedAccount; readonly isOver: boolean }>();
  const began = new Set<string>();
  for (const event of events) {
    const { type, data } = watchEvents.read(event);
    if (data.chain !== chain || data.network !== network) continue;
    const { address, watch } = data;
    last.set(address, { account: { address, watch }, isOver: endsWatch(type) });
    if (type === 'AccountWatched') began.add(address);
  }
  const left = (over: boolean): WatchedAccount[] =>
    [...last.values()].flatMap(({ account, isOver }) => (isOver === over ? [account] : []));
  const watched = left(false);
  return { watched, begun: watched.filter(({ address }) => began.has(address)), expired: left(true) };
}

/** The addresses that are watched on a network. */
export async function watchedAddresses(
  store: Pick<EventStore, 'readAll'>,
  network: Pick<AccountRef, 'chain' | 'network'>,
): Promise<ReadonlySet<string>> {
  const addresses = new Set<string>();
  for await (const events of store.readAll({ categories: [WATCH_CATEGORY] })) {
    const { watched, expired } = changedWatches(network, events);
    for (const { address } of watched) addresses.add(address);
    for (const { address } of expired) addresses.delete(address);
  }
  return addresses;
}
