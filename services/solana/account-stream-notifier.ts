import type { Logger } from 'pino';
import { failureLevel } from '../../contracts/engine/engine-unavailable';
import type { SolanaAccountSubject } from '../../contracts/chain/solana-observations';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { SOLANA_TRANSACTION_COLLECTIONS } from '../../projections/solana/transactions/queries';
import { createDueReads } from '../reads/due-reads';
import { AccountEntry, type Watcher } from './account-stream-entry';
import { readAccountState, tokenAccountsOf, type AccountMessage } from './account-stream-state';
import type { SolanaReadDeps } from './deps';
import type { Reader } from '../watch-account';
import { Problem } from '../../contracts/problem/problem';

export interface AccountNotifierDeps extends Pick<SolanaReadDeps, 'views' | 'accounts' | 'watch'> {
  readonly logger: Logger;
}

export interface WatchedAccount {
  /** Resolves when the watcher will be notified of every later change. */
  readonly ready: Promise<void>;
  /** The message of the state as it is known; null before the history can be read. */
  current(): AccountMessage | null;
  stop(): void;
}

type Caller = Pick<Reader, 'ip'>;

/** Notifies watchers of accounts when the history includes a change. */
export interface AccountNotifier {
  /** @param caller to whom the watches of accounts that nobody watches are counted: that of the account itself, and of its token accounts */
  watch(subject: SolanaAccountSubject, caller: Caller, watcher: Watcher): WatchedAccount;
}

interface Watched {
  readonly entry: AccountEntry;
  /** The account and its token accounts. */
  readonly accounts: readonly AccountRef[];
  /** Who watches it. */
  readonly callers: Map<Watcher, Caller>;
  /** The number of each one's watch; null when it could not be watched. */
  watches: Promise<readonly (number | null)[]>;
}

/** Accounts read at a time after changes. */
const MAX_READS = 32;
/** Every account is read again so often: the notification of a change may be lost. */
const REREAD_MS = 60_000;

/** Makes the indexer follow accounts, and not forget them while there are watchers. */
function createFollow({ watch, logger }: Pick<AccountNotifierDeps, 'watch' | 'logger'>) {
  /** For the first caller who may have it followed: others may have used up their share. */
  async function followOne(account: AccountRef, addresses: readonly string[]): Promise<number | null> {
    for (const ip of addresses)
      try {
        return await watch(account, { ip, appendHeader: () => undefined });
      } catch (error) {
        // A refusal is for the caller to cause.
        const level = error instanceof Problem ? 'debug' : failureLevel(error, 'warn');
        logger[level]({ err: error, ...account }, 'account could not be watched');
      }
    return null;
  }
  return {
    followOne,
    follow(accounts: readonly AccountRef[], callers: Iterable<Caller>): Promise<(number | null)[]> {
      const addresses = [...new Set([...callers].map(({ ip }) => ip))];
      return Promise.all(accounts.map(account => followOne(account, addresses)));
    },
  };
}

/**
 * For all watchers of a process one subscription to each collection, and one read for each change of an account. Only the
 * accounts that a change names are read.
 */
export function createAccountNotifier(deps: AccountNotifierDeps): AccountNotifier {
  const { views, accounts, logger } = deps;
  const { follow, followOne } = createFollow(deps);
  const watched = new Map<string, Watched>();
  /** By the key of each account and token account. */
  const concerned = new Map<string, Set<AccountEntry>>();
  const changed = createDueReads<AccountEntry>({
    read: entry => entry.refresh(),
    isWanted: entry => entry.watchers.size > 0,
    maxConcurrent: MAX_READS,
    logger,
    message: 'watched accounts could not be read, retrying',
  });
  let unsubscribe: (() => void) | null = null;

  /** Has the accounts followed for another watcher that the first ones could not have followed. */
  function join(one: Watched, caller: Caller): void {
    const { accounts, entry } = one;
    const before = one.watches;
    one.watches = before.then(known =>
      Promise.all(known.map((number, i) => number ?? followOne(accounts[i]!, [caller.ip]))),
    );
    void before.then(known => {
      if (known.includes(null)) readLater(entry);
    });
  }

  const readLater = (entry: AccountEntry): void => {
    if (entry.watchers.size > 0) changed.add(entry);
    changed.start();
  };

  const onChange = (parts: ChangedParts): void => {
    const mark = (entries: Iterable<AccountEntry> = []): void => {
      for (const entry of entries) changed.add(entry);
    };
    if (parts === null) for (const { entry } of watched.values()) mark([entry]);
    else if (parts.size < concerned.size) for (const part of parts) mark(concerned.get(part));
    else for (const [part, entries] of concerned) if (parts.has(part)) mark(entries);
    changed.start();
  };

  const subscribe = (observations: string): (() => void) => {
    const subscriptions = [...SOLANA_TRANSACTION_COLLECTIONS, observations].map(collection =>
      views.subscribe(collection, onChange),
    );
    const rereads = setInterval(() => {
      onChange(null);
      for (const one of watched.values()) one.watches = follow(one.accounts, one.callers.values());
    }, REREAD_MS).unref();
    return () => {
      clearInterval(rereads);
      for (const end of subscriptions) end();
    };
  };

  const add = (key: string, subject: SolanaAccountSubject, caller: Caller): Watched => {
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
      callers: new Map(),
      watches: follow(followed, [caller]),
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
    watch(subject, caller, watcher) {
      const key = accountKey({ chain: 'solana', ...subject });
      const known = watched.get(key);
      const one = known ?? add(key, subject, caller);
      if (known) join(one, caller);
      const { entry } = one;
      // A function of its own, so that each watch ends alone.
      const own: Watcher = message => watcher(message);
      entry.watchers.add(own);
      one.callers.set(own, caller);
      return {
        // Of what cannot be read now it is notified when it can.
        ready: entry.ready().catch(() => readLater(entry)),
        current: () => entry.current(),
        stop() {
          one.callers.delete(own);
          if (entry.watchers.delete(own) && entry.watchers.size === 0) remove(key, one);
        },
      };
    },
  };
}
