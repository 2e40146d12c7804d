import { count } from '../../../config/settings';

export const WATCH_SETTINGS = {
  MAX_WATCHED_ACCOUNTS: count.default(100_000),
  WATCH_EXPIRY_DAYS: count.max(36_500).default(30),
};
