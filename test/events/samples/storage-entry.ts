import type { Samples } from '../sample';

export const STORAGE_ENTRY = {
  key: 'ab'.repeat(32),
  seq: 1,
  value: 'c2VjcmV0',
  signed: { signature: Buffer.alloc(64, 1).toString('base64'), time: 1_772_366_460 },
  source: '0123456789abcdef',
  at: '2026-03-01T12:00:00.000Z',
};
export const STORAGE_ENTRY_REMOVED = { key: STORAGE_ENTRY.key, at: '2027-03-01T12:00:00.000Z' };

const { source: _, ...FIRST_VERSION } = STORAGE_ENTRY;

export const STORAGE_ENTRY_SAMPLES: Samples = {
  StorageEntryWritten: [
    { v: 2, data: STORAGE_ENTRY },
    { v: 2, data: { ...STORAGE_ENTRY, seq: 7, value: '', signed: null } },
    { v: 1, data: FIRST_VERSION, latest: { ...FIRST_VERSION, source: null } },
  ],
  StorageEntryRemoved: [{ v: 1, data: STORAGE_ENTRY_REMOVED }],
};
