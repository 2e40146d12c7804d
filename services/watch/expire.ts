import { setTimeout as sleep } from 'node:timers/promises';
import { watchStream } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import { WATCHED_ACCOUNTS, type WatchedAccountDocument } from '../../projections/watch/watched-accounts';
import type { Views } from '../../projections/views';
import type { Handle } from '../commands/handle';
import { watchKind } from './decider';
import { expiryMs, type WatchTimes } from './watch-times';

export interface ExpireDeps extends Pick<WatchTimes, 'expireAfterMs' | 'expireUnconfirmedAfterMs'> {
  readonly views: Pick<Views, 'scan' | 'isOutdated'>;
  readonly handle: Handle;
  readonly clock: () => Date;
  /** Whether an account is watched although nobody reads it: for notifications. */
  readonly isNeeded: (account: AccountRef) => Promise<boolean>;
  /** Whether an account has a transaction or a balance; null when that cannot be known now. */
  readonly isUsed: (account: AccountRef) => Promise<boolean | null>;
}

const PAGE_SIZE = 200;
const INTERVAL_MS = 600_000;
/** Without a read of an account of which it cannot be known whether it is used. */
const UNKNOWN_MS = 86_400_000;

/**
 * Ends the watches that nobody has renewed, and renews those that are needed; after a shorter time ends those of accounts that
 * nobody uses or needs, and confirms the others. The documents may be behind: the stream of each account decides, so that any
 * number of processes may do this at a time. @returns how many were due
 */
export async function expireWatches(deps: ExpireDeps, signal: AbortSignal): Promise<number> {
  const { handle, clock, expireAfterMs, expireUnconfirmedAfterMs, isNeeded, isUsed } = deps;
  const metadata = { now: clock().toISOString(), actor: 'watch expiry' };
  const expire = { type: 'expire', expireAfterMs, expireUnconfirmedAfterMs, metadata } as const;
  const renew = { type: 'renew', renewAfterMs: 0, renewUnconfirmedAfterMs: 0, metadata } as const;
  let found = 0;
  for await (const document of dueDocuments(deps, expireAfterMs, {}, signal)) {
    const account = accountOf(document);
    const command = (await isNeeded(account)) ? renew : expire;
    await handle(watchKind, watchStream(account), { ...command, account });
    found++;
  }
  // Documents of an earlier version do not say which are confirmed.
  if (await deps.views.isOutdated([WATCHED_ACCOUNTS.name])) return found;
  for await (const document of dueDocuments(deps, expireUnconfirmedAfterMs, { isConfirmed: false }, signal)) {
    // A chain is asked about each whose time is over, and only then.
    if (clock().getTime() - Date.parse(document.readAt) < expiryMs(document, deps)) continue;
    const account = accountOf(document);
    const isKept = (await isNeeded(account)) || (await isUsed(account));
    const command = isKept ? ({ type: 'confirm', metadata } as const) : expire;
    const times = isKept === null ? { expireUnconfirmedAfterMs: UNKNOWN_MS } : {};
    await handle(watchKind, watchStream(account), { ...command, ...times, account });
    found++;
  }
  return found;
}

const accountOf = ({ chain, network, address }: WatchedAccountDocument): AccountRef =>
  ({ chain, network, address }) as AccountRef;

/** Of accounts whose last recorded read is older, the oldest first. */
async function* dueDocuments(
  { views, clock }: ExpireDeps,
  afterMs: number,
  equals: { readonly isConfirmed?: false },
  signal: AbortSignal,
): AsyncIterable<WatchedAccountDocument> {
  const due = {
    filter: { ...equals, readAt: { lte: new Date(clock().getTime() - afterMs).toISOString() } },
    order: [['readAt', 'asc']] as const,
    limit: PAGE_SIZE,
  };
  for await (const page of views.scan<WatchedAccountDocument>(WATCHED_ACCOUNTS.name, due))
    for (const document of page) {
      signal.throwIfAborted();
      yield document;
    }
}

/** Ends watches from time to time, until the signal. */
export async function keepExpiringWatches(deps: ExpireDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await expireWatches(deps, signal);
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
