import type { ExchangeOrderStatus } from '../../contracts/events/exchange-order';

const DAY_MS = 24 * 3_600_000;
/** So long the user finds what has ended well. */
const AFTER_SUCCESS_MS = DAY_MS;
/** So long the partner is asked about what may still be paid late, or taken up again. */
export const AFTER_FAILURE_MS = 7 * DAY_MS;

/** Later than any instant that it is compared with. */
export const ALWAYS_LISTED = '9999-12-31T23:59:59.999Z';

/**
 * Until when an order is in the list of its wallet, which apps poll while it has orders: as long as it may still move or needs its
 * user, and a while after it has ended. What the user has closed leaves it at once.
 * @param at RFC 3339 UTC instant with milliseconds, as the others: when the status was reached
 * @param expiresAt until when the payment is awaited
 */
export function listedUntil(status: ExchangeOrderStatus, at: string, expiresAt: string): string {
  switch (status) {
    case 'resolved':
      return at;
    case 'finished':
    case 'refunded':
      return after(at, AFTER_SUCCESS_MS);
    case 'failed':
    case 'expired':
    case 'overdue':
      return after(at, AFTER_FAILURE_MS);
    case 'new':
    case 'waiting':
      return after(expiresAt, AFTER_FAILURE_MS);
    default:
      return ALWAYS_LISTED;
  }
}

const after = (instant: string, milliseconds: number): string =>
  new Date(Date.parse(instant) + milliseconds).toISOString();
