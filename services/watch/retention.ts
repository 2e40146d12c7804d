import { WATCH_CATEGORY } from '../../contracts/events/watch';
import type { Retention } from '../retention/retention';

/**
 * The end of the last watch stays, because the next watch continues its number: what is known of the history of an account is
 * known for a watch, and the first one has missed nothing.
 */
export const WATCH_RETENTION: Retention = {
  name: 'expired_watch',
  of: 'watches that have ended; of each account the end of the last one stays',
  category: WATCH_CATEGORY,
  days: 30,
  hasNoDocument: () => false,
  saysAll: ({ type }) => type === 'WatchExpired' || type === 'HistoryRemoved',
};
