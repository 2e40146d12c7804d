import { walletRequestStream } from '../../contracts/events/wallet-request';
import type { Views } from '../../projections/views';
import { findExpiringRequests, WALLET_REQUESTS } from '../../projections/wallet-requests/wallet-requests';
import type { Handle } from '../commands/handle';
import { isPastExpiry, walletRequestKind } from './decider';

interface ExpireDeps {
  readonly views: Pick<Views, 'find' | 'waitForChange'>;
  readonly handle: Handle;
  readonly clock: () => Date;
}

const PAGE_SIZE = 100;
/** The clock may be set, and the notification of a change may be lost. */
const MAX_WAIT_MS = 10_000;
/** Documents may be behind what was appended a moment ago. */
const MIN_WAIT_MS = 50;

/**
 * Ends the requests that nobody has answered in time. The stream of each decides, so that any number of processes may do
 * this at a time. @returns milliseconds until there may be more to do
 */
export async function expireRequests(
  { views, handle, clock }: ExpireDeps,
  signal: AbortSignal,
): Promise<number> {
  const now = clock().toISOString();
  const pending = await findExpiringRequests(views, PAGE_SIZE);
  for (const request of pending) {
    signal.throwIfAborted();
    if (!isPastExpiry(request, now)) return Date.parse(request.expiresAt) - Date.parse(now);
    await handle(walletRequestKind, walletRequestStream(request.requestId), {
      type: 'expire',
      metadata: { now, actor: 'wallet request expiry' },
    });
  }
  return pending.length === 0 ? MAX_WAIT_MS : MIN_WAIT_MS;
}

/** Ends requests as they expire, until the signal. */
export async function keepExpiringRequests(deps: ExpireDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const waitMs = await expireRequests(deps, signal);
    const limit = Math.min(Math.max(waitMs, MIN_WAIT_MS), MAX_WAIT_MS);
    await deps.views.waitForChange([{ collection: WALLET_REQUESTS.name }], limit, signal);
  }
}
