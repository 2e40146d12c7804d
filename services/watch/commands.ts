import { LRUCache } from 'lru-cache';
import { atMost } from '../../contracts/engine/cache-bounds';
import { watchStream } from '../../contracts/events/watch';
import {
  accountKey,
  ALL_NETWORKS,
  type AccountRef,
  type FollowedNetworks,
} from '../../contracts/network/network';
import { expectFollowed } from '../../contracts/network/network-off';
import { Problem } from '../../contracts/problem/problem';
import type { EventStore } from '../../contracts/ports/event-store';
import { createHandle } from '../commands/handle';
import type { AdmitFirstRead, Watch } from '../watch-account';
import { watchKind, type WatchCommand } from './decider';
import { renewalMs, type RecordedReads, type WatchTimes } from './watch-times';

interface WatchDeps extends Partial<Pick<WatchTimes, 'renewAfterMs' | 'renewUnconfirmedAfterMs'>> {
  readonly store: EventStore;
  readonly clock: () => Date;
  /** The networks whose accounts can be watched; default: all. */
  readonly followed?: FollowedNetworks;
  /** Default: any account for any reader. */
  readonly admit?: AdmitFirstRead;
  /** Whether an account is known to be used: it is watched for as long as it is read. Default: none is. */
  readonly isUsed?: (account: AccountRef) => Promise<boolean>;
  /** Accounts known to be watched; the event store is read again for others. Default 20,000. */
  readonly maxCached?: number;
}

/** Seconds. A removal takes about one. */
const REMOVAL_RETRY_AFTER = 5;

type Wanted =
  { readonly type: 'watch'; readonly source: string | null } | { readonly type: 'renew' | 'confirm' };

interface Known extends RecordedReads {
  readonly watch: number;
}

/**
 * Cheap to call on every read: an account whose read was recorded recently is not looked up again, and concurrent calls
 * for one account are one command.
 */
export function createWatch(deps: WatchDeps): Watch {
  const { store, clock, followed = ALL_NETWORKS, admit, isUsed, maxCached = 20_000 } = deps;
  const { renewAfterMs = Infinity, renewUnconfirmedAfterMs = Infinity } = deps;
  const handle = createHandle({ store });
  const known = new LRUCache<string, Known>(atMost(maxCached));
  const pending = new Map<string, Promise<Known | null>>();

  const isDue = (reads: Known): boolean =>
    clock().getTime() - Date.parse(reads.readAt) >=
    renewalMs(reads, { renewAfterMs, renewUnconfirmedAfterMs });

  /**
   * @returns null while the account is not watched
   * @throws Problem while its history is being removed
   */
  const execute = async (what: Wanted, key: string, account: AccountRef): Promise<Known | null> => {
    const metadata = { now: clock().toISOString(), actor: 'wallet' };
    const command: WatchCommand = { ...what, account, renewAfterMs, renewUnconfirmedAfterMs, metadata };
    const outcome = await handle(watchKind, watchStream(account), command);
    if (outcome.refusal) throw Problem.unavailable(outcome.refusal.detail, REMOVAL_RETRY_AFTER);
    const { watch, reads } = outcome.state;
    if (reads === null) return null;
    const found = { watch, ...reads };
    known.set(key, found);
    return found;
  };

  const once = (what: Wanted, key: string, account: AccountRef): Promise<Known | null> => {
    const id = `${what.type} ${key}`;
    const running = pending.get(id) ?? execute(what, key, account).finally(() => pending.delete(id));
    pending.set(id, running);
    return running;
  };

  return async (account, reader, purpose = 'read') => {
    expectFollowed(followed, [account]);
    const key = accountKey(account);
    const cached = known.get(key);
    if (cached && !isDue(cached)) return cached.watch;
    const renewed = await once({ type: 'renew' }, key, account);
    if (renewed && !renewed.isConfirmed && (await isUsed?.(account)))
      await once({ type: 'confirm' }, key, account);
    if (renewed) return renewed.watch;
    const source = (reader && (await admit?.(account, reader, purpose))) ?? null;
    return (await once({ type: 'watch', source }, key, account))!.watch;
  };
}
