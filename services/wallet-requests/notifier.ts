import type { Logger } from 'pino';
import { accountKey } from '../../contracts/network/network';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import {
  findChangedRequests,
  WALLET_REQUESTS,
  type WalletRequestDocument,
} from '../../projections/wallet-requests/wallet-requests';
import type { Views } from '../../projections/views';
import { createDueReads } from '../reads/due-reads';
import type { TonAccount } from '../../contracts/account/ton-account';

/** Is given what has changed, oldest first; null when that is very much. Must not throw. */
export type Watcher = (changed: readonly WalletRequestDocument[] | null) => void;

export interface RequestNotifier {
  watch(
    account: TonAccount,
    watcher: Watcher,
  ): {
    /** Resolves when every later change will be notified of; rejects when the requests cannot be read. */
    readonly ready: Promise<void>;
    stop(): void;
  };
}

interface Watched {
  readonly account: TonAccount;
  readonly watchers: Set<Watcher>;
  /** The positions of the requests that changed last; null until they were read. */
  seen: ReadonlyMap<string, number> | null;
  /** The read that is running or was the last. */
  reading: Promise<void>;
}

/** Requests of an account whose changes between two reads are notified of one by one. */
const WINDOW = 100;
/** Accounts read at a time after changes. */
const MAX_READS = 16;
/** Every account is read again so often: the notification of a change may be lost. */
const REREAD_MS = 60_000;

/**
 * Notifies watchers of requests that documents include, by whichever process they were made. For all watchers of this
 * process one subscription, and one read for each change of an account; only accounts that a change names are read.
 */
export function createRequestNotifier({
  views,
  logger,
}: {
  readonly views: Pick<Views, 'find' | 'subscribe'>;
  readonly logger: Logger;
}): RequestNotifier {
  const watched = new Map<string, Watched>();
  let unsubscribe: (() => void) | null = null;

  /** One read at a time, so that no older state replaces a newer one. */
  const read = (one: Watched): Promise<void> =>
    (one.reading = one.reading.catch(() => undefined).then(() => readNow(one)));

  async function readNow(one: Watched): Promise<void> {
    const newest = await findChangedRequests(views, one.account, WINDOW);
    const { seen } = one;
    one.seen = new Map(newest.map(({ _id, position }) => [_id, position]));
    if (!seen) return;
    const changed = newest.filter(({ _id, position }) => seen.get(_id) !== position);
    if (changed.length === 0) return;
    const isComplete = changed.length < WINDOW;
    for (const watcher of [...one.watchers]) watcher(isComplete ? [...changed].reverse() : null);
  }

  const due = createDueReads<Watched>({
    read,
    isWanted: one => one.watchers.size > 0,
    maxConcurrent: MAX_READS,
    logger,
    message: 'wallet requests could not be read, retrying',
  });

  const onChange = (parts: ChangedParts): void => {
    const named = parts === null ? watched.values() : [...parts].map(part => watched.get(part));
    for (const one of named) if (one) due.add(one);
    due.start();
  };

  const subscribe = (): (() => void) => {
    const end = views.subscribe(WALLET_REQUESTS.name, onChange);
    const rereads = setInterval(() => onChange(null), REREAD_MS).unref();
    return () => {
      clearInterval(rereads);
      end();
    };
  };

  return {
    watch(account, watcher) {
      // Before the first read, so that no change in between is missed.
      unsubscribe ??= subscribe();
      const key = accountKey(account);
      const known = watched.get(key);
      const one: Watched = known ?? { account, watchers: new Set(), seen: null, reading: Promise.resolve() };
      watched.set(key, one);
      // A function of its own, so that each watch ends alone.
      const own: Watcher = changed => watcher(changed);
      one.watchers.add(own);
      return {
        ready: one.seen ? Promise.resolve() : read(one),
        stop() {
          if (!one.watchers.delete(own) || one.watchers.size > 0) return;
          if (watched.get(key) === one) watched.delete(key);
          due.delete(one);
          if (watched.size > 0) return;
          unsubscribe?.();
          unsubscribe = null;
        },
      };
    },
  };
}
