import { watchEvents, watchStream } from '../contracts/events/watch';
import type { AccountRef } from '../contracts/network';
import type { EventStore } from '../contracts/ports/event-store';

/** The number of the current watch of an account; null while it is not watched. */
export async function currentWatch(
  store: Pick<EventStore, 'readStream'>,
  account: AccountRef,
): Promise<number | null> {
  for await (const recorded of store.readStream(watchStream(account), { direction: 'backwards', limit: 1 })) {
    const { type, data } = watchEvents.read(recorded);
    return type === 'WatchExpired' ? null : data.watch;
  }
  return null;
}
