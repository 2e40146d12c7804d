import { storageEntryStream } from '../../contracts/events/storage-entry';
import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { storageEntriesProjection } from './entries';

const [ann, bob] = ['aa'.repeat(32), 'bb'.repeat(32)];
const written = (key: string, seq: number, value: string, isSigned: boolean) =>
  [
    storageEntryStream(key),
    {
      type: 'StorageEntryWritten',
      data: {
        key,
        seq,
        value,
        source: key.slice(0, 2),
        signed: isSigned ? { signature: 'c2lnbmVk', time: 1 } : null,
        at: '2026-03-01T12:00:00.000Z',
      },
      metadata: { v: 2 },
    },
  ] as const;

it('has the last write of each key', () =>
  given(
    storageEntriesProjection,
    history(
      written(bob, 1, 'AA==', false),
      written(ann, 1, 'AQ==', true),
      written(bob, 2, 'Ag==', true),
      written(ann, 2, 'Aw==', true),
      written(ann, 3, '', true),
    ),
  ).then({
    storage_entries: [
      { _id: ann, seq: 3, value: '', signed: true, source: 'aa' },
      { _id: bob, seq: 2, value: 'Ag==', signed: true, source: 'bb' },
    ],
  }));

it('has no key that was removed, until it is written again', () => {
  const removed = (key: string) =>
    [
      storageEntryStream(key),
      { type: 'StorageEntryRemoved', data: { key, at: '2027-03-01T12:00:00.000Z' }, metadata: { v: 1 } },
    ] as const;
  return given(
    storageEntriesProjection,
    history(
      written(ann, 3, 'AQ==', true),
      written(bob, 3, 'AQ==', true),
      ...[ann, bob].map(removed),
      written(bob, 1, 'Ag==', true),
    ),
  ).then({ storage_entries: [{ _id: bob, seq: 1, value: 'Ag==', signed: true, source: 'bb' }] });
});
