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
      { _id: ann, seq: 3, value: '', signed: true, kibibytes: 4, source: 'aa' },
      { _id: bob, seq: 2, value: 'Ag==', signed: true, kibibytes: 4, source: 'bb' },
    ],
  }));

it('says what each value counts as: 4 KiB or the next power of two', async () => {
  const sizes = [0, 4_096, 4_097, 65_536, 65_537, 700 * 1_024];
  const keyOf = (n: number): string => `a${n}`.repeat(32);
  const valueOf = (bytes: number): string => Buffer.alloc(bytes).toString('base64');
  await given(
    storageEntriesProjection,
    history(...sizes.map((bytes, n) => written(keyOf(n), 1, valueOf(bytes), true))),
  ).then({
    storage_entries: [4, 4, 8, 64, 128, 1_024].map((kibibytes, n) => ({
      _id: keyOf(n),
      seq: 1,
      value: valueOf(sizes[n]!),
      signed: true,
      kibibytes,
      source: `a${n}`,
    })),
  });
});

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
  ).then({
    storage_entries: [{ _id: bob, seq: 1, value: 'Ag==', signed: true, kibibytes: 4, source: 'bb' }],
  });
});
