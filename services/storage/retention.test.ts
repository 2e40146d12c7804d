import { storageEntriesProjection } from '../../projections/storage/entries';
import { describeRetention } from '../../test/contracts/retention';
import { STORAGE_ENTRY } from '../../test/events/samples/storage-entry';
import { STORAGE_HISTORY_RETENTION } from './retention';

const write = (seq: number) => ['StorageEntryWritten', { ...STORAGE_ENTRY, seq }] as const;

describeRetention(STORAGE_HISTORY_RETENTION, [storageEntriesProjection], {
  stays: { 'a value that was never replaced': [write(1)] },
  lastStays: { 'what was written again and again': [write(1), write(2), write(3)] },
});
