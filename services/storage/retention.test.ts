import { storageEntriesProjection } from '../../projections/storage/entries';
import { describeRetention } from '../../test/contracts/retention';
import { STORAGE_ENTRY } from '../../test/events/samples/storage-entry';
import { STORAGE_HISTORY_RETENTION, STORAGE_VALUE_RETENTION } from './retention';

const write = (seq: number) => ['StorageEntryWritten', { ...STORAGE_ENTRY, seq }, 2] as const;

describe('what was replaced', () =>
  describeRetention(STORAGE_HISTORY_RETENTION, [storageEntriesProjection], {
    stays: { 'a value that was never replaced': [write(1)] },
    lastStays: { 'what was written again and again': [write(1), write(2), write(3)] },
  }));

// By default it stays: the program does not apply it.
describe('the last value, where the operator has set an age', () =>
  describeRetention({ ...STORAGE_VALUE_RETENTION, days: 400 }, [storageEntriesProjection], {
    goes: {
      'a value': [write(1)],
      'a value that was replaced': [write(1), write(2)],
    },
  }));

it('a value stays unless the operator sets an age', () => expect(STORAGE_VALUE_RETENTION.days).toBe(0));
