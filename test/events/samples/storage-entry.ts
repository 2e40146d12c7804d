import type { Samples } from '../sample';

export const STORAGE_ENTRY = {
  key: 'ab'.repeat(32),
  seq: 1,
  value: 'c2VjcmV0',
  signed: { signature: Buffer.alloc(64, 1).toString('base64'), time: 1_772_366_460 },
  at: '2026-03-01T12:00:00.000Z',
};

export const STORAGE_ENTRY_SAMPLES: Samples = {
  StorageEntryWritten: [
    { v: 1, data: STORAGE_ENTRY },
    { v: 1, data: { ...STORAGE_ENTRY, seq: 7, value: '', signed: null } },
  ],
};
