import { watchStream } from '../../contracts/events/watch';
import { accountKey, type AccountRef } from '../../contracts/network';
import type { EventStore } from '../../contracts/ports/event-store';
import { createHandle } from '../handle';
import { watchKind } from './decider';
import { createRecent } from './recent';

/** Accounts known to be watched that are remembered; beyond it the event store is asked again. */
const REMEMBERED = 20_000;

/**
 * Has an account watched, so that its chain's indexer follows it. Cheap to call on every read: an account that was
 * watched lately is not looked up again, and calls for one account at once are carried out as one.
 */
export function createWatch(deps: {
  readonly store: EventStore;
  readonly clock: () => Date;
}): (account: AccountRef) => Promise<void> {
  const { store, clock } = deps;
  const handle = createHandle({ store });
  const watched = createRecent(REMEMBERED);
  const inHand = new Map<string, Promise<void>>();

  const record = async (key: string, account: AccountRef): Promise<void> => {
    const metadata = { now: clock().toISOString(), actor: 'wallet' };
    await handle(watchKind, watchStream(account), { account, metadata });
    watched.add(key);
  };

  return account => {
    const key = accountKey(account);
    if (watched.has(key)) return Promise.resolve();
    let recording = inHand.get(key);
    if (!recording) {
      recording = record(key, account).finally(() => inHand.delete(key));
      inHand.set(key, recording);
    }
    return recording;
  };
}
