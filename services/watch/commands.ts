import { LRUCache } from 'lru-cache';
import { watchStream } from '../../contracts/events/watch';
import { accountKey, type AccountRef } from '../../contracts/network';
import type { EventStore } from '../../contracts/ports/event-store';
import { createHandle } from '../handle';
import { watchKind } from './decider';

/**
 * Watches an account, so that its chain's indexer follows it. Cheap to call on every read: an account that was
 * watched recently is not looked up again, and concurrent calls for one account are one command.
 */
export function createWatch(deps: {
  readonly store: EventStore;
  readonly clock: () => Date;
  /** Accounts known to be watched; the event store is read again for others. Default 20,000. */
  readonly maxCached?: number;
}): (account: AccountRef) => Promise<void> {
  const { store, clock, maxCached = 20_000 } = deps;
  const handle = createHandle({ store });
  const watched = new LRUCache<string, true>({ max: maxCached });
  const pending = new Map<string, Promise<void>>();

  const record = async (key: string, account: AccountRef): Promise<void> => {
    const metadata = { now: clock().toISOString(), actor: 'wallet' };
    await handle(watchKind, watchStream(account), { account, metadata });
    watched.set(key, true);
  };

  return account => {
    const key = accountKey(account);
    if (watched.get(key)) return Promise.resolve();
    let recording = pending.get(key);
    if (!recording) {
      recording = record(key, account).finally(() => pending.delete(key));
      pending.set(key, recording);
    }
    return recording;
  };
}
