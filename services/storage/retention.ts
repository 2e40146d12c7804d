import { STORAGE_ENTRY_CATEGORY } from '../../contracts/events/storage-entry';
import type { Retention } from '../retention/retention';

/** The last value of a key stays, with the count of its writes: it belongs to who has the key, and nobody else can give it back. */
export const STORAGE_HISTORY_RETENTION: Retention = {
  name: 'storage_history',
  of: 'values in cloud storage that were replaced, so long after that; the last value of a key stays',
  category: STORAGE_ENTRY_CATEGORY,
  days: 30,
  hasNoDocument: () => false,
  lastEventIsState: true,
};
