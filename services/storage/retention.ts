import { STORAGE_ENTRY_CATEGORY, storageEntryEvents } from '../../contracts/events/storage-entry';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { Retention } from '../retention/retention';
import { storageEntryKind } from './decider';

const hasNoDocument = ({ type }: RecordedEvent): boolean => type === 'StorageEntryRemoved';

/** The last value of a key stays, with the count of its writes. */
export const STORAGE_HISTORY_RETENTION: Retention = {
  name: 'storage_history',
  of: 'values in cloud storage that were replaced, so long after that',
  category: STORAGE_ENTRY_CATEGORY,
  days: 30,
  hasNoDocument,
  lastEventIsState: true,
};

/** Off by default: a value belongs to who has the key, may be the only copy there is, and nobody else can give it back. */
export const STORAGE_VALUE_RETENTION: Retention = {
  name: 'storage_value',
  of: 'the last value of a key in cloud storage, so long after it was written, read or not',
  note: `The last value of a key in cloud storage may be the only copy of what a user has, so it stays unless the operator sets
\`STORAGE_VALUE_DAYS\`. A key whose value has gone is as one that was never written.`,
  category: STORAGE_ENTRY_CATEGORY,
  progress: 'values',
  days: 0,
  hasNoDocument,
  async remove(handle, last, now) {
    const { key } = storageEntryEvents.read(last).data;
    const metadata = { now, actor: 'retention' };
    const outcome = await handle(storageEntryKind, last.stream, { type: 'remove', key, metadata });
    return !outcome.refusal && outcome.events.length > 0;
  },
};
