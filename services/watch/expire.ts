import { setTimeout as sleep } from 'node:timers/promises';
import { watchStream } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import { WATCHED_ACCOUNTS, type WatchedAccountDocument } from '../../projections/watch/watched-accounts';
import type { Views } from '../../projections/views';
import type { Handle } from '../handle';
import { watchKind } from './decider';

interface ExpireDeps {
  readonly views: Pick<Views, 'scan'>;
  readonly handle: Handle;
  readonly clock: () => Date;
  /** Milliseconds since the last recorded read after which a watch ends. */
  readonly expireAfterMs: number;
  /** Whether an account is watched although nobody reads it: for notifications. */
  readonly isNeeded: (account: AccountRef) => Promise<boolean>;
}

const PAGE_SIZE = 200;
const INTERVAL_MS = 600_000;

/**
 * Ends the watches that nobody has renewed, and renews those that are needed. The documents may be behind: the stream of each
 * account decides, so that any number of processes may do this at a time. @returns how many were due
 */
export async function expireWatches(deps: ExpireDeps, signal: AbortSignal): Promise<number> {
  const { views, handle, clock, expireAfterMs, isNeeded } = deps;
  const now = clock();
  const due = {
    filter: { readAt: { lte: new Date(now.getTime() - expireAfterMs).toISOString() } },
    order: [['readAt', 'asc']] as const,
    limit: PAGE_SIZE,
  };
  const metadata = { now: now.toISOString(), actor: 'watch expiry' };
  let found = 0;
  for await (const page of views.scan<WatchedAccountDocument>(WATCHED_ACCOUNTS.name, due))
    for (const { chain, network, address } of page) {
      signal.throwIfAborted();
      const account = { chain, network, address } as AccountRef;
      const command = (await isNeeded(account))
        ? ({ type: 'renew', account, renewAfterMs: 0, metadata } as const)
        : ({ type: 'expire', account, expireAfterMs, metadata } as const);
      await handle(watchKind, watchStream(account), command);
      found++;
    }
  return found;
}

/** Ends watches from time to time, until the signal. */
export async function keepExpiringWatches(deps: ExpireDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await expireWatches(deps, signal);
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
