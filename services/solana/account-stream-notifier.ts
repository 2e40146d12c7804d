import type { Logger } from 'pino';
import { createBackoff } from '../../contracts/backoff';
import type { SolanaAccountSubject } from '../../contracts/chain/solana-observations';
import { accountKey, type AccountRef } from '../../contracts/network';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { SOLANA_TRANSACTION_COLLECTIONS } from '../../projections/solana/transactions/queries';
import { AccountEntry, type Watcher } from './account-stream-entry';
import { readAccountState, tokenAccountsOf } from './account-stream-state';
import type { SolanaReadDeps } from './deps';

export interface AccountNotifierDeps extends Pick<SolanaReadDeps, 'views' | 'accounts' | 'watch'> {
  readonly logger: Logger;
}

export interface WatchedAccount {
  /** Resolves when the watcher will be notified of every later change. */
  readonly ready: Promise<void>;
  stop(): void;
}

/** Notifies watchers of accounts when the history includes a change. */
export interface AccountNotifier {
  watch(subject: SolanaAccountSubject, watcher: Watcher): WatchedAccount;
}

interface Watched {
  readonly entry: AccountEntry;
  /** The account and its token accounts. */
  readonly accounts: readonly AccountRef[];
  /** The number of each one's watch; null when it could not be watched. */
  watches: Promise<readonly (number | null)[]>;
}

/** Accounts read at a time after changes. */
const MAX_READS = 32;
/** Every account is read again so often: the notification of a change may be lost. */
const REREAD_MS = 60_000;
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * For all watchers of a process one subscription to each collection, and one read for each change of an account. Only the
 * accounts that a change names are read.
 */
export function createAccountNotifier(deps: AccountNotifierDeps): AccountNotifier {
  const { views, accounts, watch, logger } = deps;
  const watched = new Map<string, Watched>();
  /** By the key of each account and token account. */
  const concerned = new Map<string, Set<AccountEntry>>();
  const changed = new Set<AccountEntry>();
  let isReading = false;
  let unsubscribe: (() => void) | null = null;

  /** Makes the indexer follow the accounts, and not forget them while there are watchers. */
  const follow = (followed: readonly AccountRef[]): Promise<(number | null)[]> =>
    Promise.all(
      followed.map(account =>
        watch(account).catch((error: unknown) => {
          logger.warn({ err: error, ...account }, 'account could not be watched');
          return null;
        }),
      ),
    );

  const takeChanged = (): AccountEntry[] => {
    const taken: AccountEntry[] = [];
    for (const entry of changed) {
      if (taken.push(entry) === MAX_READS) break;
    }
    for (const entry of taken) changed.delete(entry);
    return taken;
  };

  /** Reads the changed accounts until there are none; those that cannot be read, again later. */
  const readChanged = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    const backoff = createBackoff(MIN_RETRY_MS, MAX_RETRY_MS);
    while (changed.size > 0) {
      const entries = takeChanged();
      const results = await Promise.allSettled(entries.map(entry => entry.refresh()));
      const failed = entries.filter((_, i) => results[i]!.status === 'rejected');
      for (const entry of failed) if (entry.watchers.size > 0) changed.add(entry);
      const failure = results.find(result => result.status === 'rejected');
      if (failure) {
        logger.warn({ err: failure.reason as unknown }, 'watched accounts could not be read, retrying');
        await new Promise(resolve => setTimeout(resolve, backoff.next()).unref());
      } else backoff.reset();
    }
    isReading = false;
  };

  const readLater = (entry: AccountEntry): void => {
    if (entry.watchers.size > 0) changed.add(entry);
    void readChanged();
  };

  const onChange = (parts: ChangedParts): void => {
    const mark = (entries: Iterable<AccountEntry> = []): void => {
      for (const entry of entries) changed.add(entry);
    };
    if (parts === null) for (const { entry } of watched.values()) mark([entry]);
    else if (parts.size < concerned.size) for (const part of parts) mark(concerned.get(part));
    else for (const [part, entries] of concerned) if (parts.has(part)) mark(entries);
    void readChanged();
  };

  const subscribe = (observations: string): (() => void) => {
    const subscriptions = [...SOLANA_TRANSACTION_COLLECTIONS, observations].map(collection =>
      views.subscribe(collection, onChange),
    );
    const rereads = setInterval(() => {
      onChange(null);
      for (const one of watched.values()) one.watches = follow(one.accounts);
    }, REREAD_MS).unref();
    return () => {
      clearInterval(rereads);
      for (const end of subscriptions) end();
    };
  };

  const add = (key: string, subject: SolanaAccountSubject): Watched => {
    const tokenAccounts = tokenAccountsOf(subject);
    const followed = [subject.address, ...tokenAccounts].map((address): AccountRef => ({
      chain: 'solana',
      network: subject.network,
      address,
    }));
    const one: Watched = {
      entry: new AccountEntry(
        async () => readAccountState({ views, accounts }, subject, tokenAccounts, await one.watches),
        readLater,
      ),
      accounts: followed,
      watches: follow(followed),
    };
    watched.set(key, one);
    for (const account of one.accounts.map(accountKey))
      concerned.set(account, (concerned.get(account) ?? new Set()).add(one.entry));
    // Before the state is read, so that no change in between is missed.
    unsubscribe ??= subscribe(accounts.source(subject).collection);
    return one;
  };

  const remove = (key: string, { entry, accounts }: Watched): void => {
    entry.close();
    watched.delete(key);
    changed.delete(entry);
    for (const account of accounts.map(accountKey)) {
      const entries = concerned.get(account)!;
      entries.delete(entry);
      if (entries.size === 0) concerned.delete(account);
    }
    if (watched.size > 0) return;
    unsubscribe?.();
    unsubscribe = null;
  };

  return {
    watch(subject, watcher) {
      const key = accountKey({ chain: 'solana', ...subject });
      const one = watched.get(key) ?? add(key, subject);
      const { entry } = one;
      // A function of its own, so that each watch ends alone.
      const own: Watcher = message => watcher(message);
      entry.watchers.add(own);
      return {
        // Of what cannot be read now it is notified when it can.
        ready: entry.ready().catch(() => readLater(entry)),
        stop() {
          if (entry.watchers.delete(own) && entry.watchers.size === 0) remove(key, one);
        },
      };
    },
  };
}
