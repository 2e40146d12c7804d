import { randomUUID } from 'node:crypto';
import { watchStream } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network';
import type { EventStore } from '../../contracts/ports/event-store';

/** Records that an account is watched, also when it already is: the indexers must accept that. */
export async function recordWatched(store: EventStore, account: AccountRef): Promise<void> {
  await store.append(watchStream(account), 'any', [
    { id: randomUUID(), type: 'AccountWatched', data: account },
  ]);
}
