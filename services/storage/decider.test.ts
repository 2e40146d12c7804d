import { refuse } from '../../contracts/decider';
import type { StorageEntryEvent, StorageEntryWritten } from '../../contracts/events/storage-entry';
import { isOutcomeOf, storageEntryKind, type WriteCommand } from './decider';

const key = 'ab'.repeat(32);
const signed = { signature: 'c2lnbmVk', time: 1_772_366_460 };
const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'wallet' };
const at = metadata.now;

const { initial, evolve, decide } = storageEntryKind.decider;
const written = (seq: number, value: string, by: typeof signed | null = signed): StorageEntryWritten => ({
  type: 'StorageEntryWritten',
  data: { key, seq, value, signed: by, source: 'first', at },
});
const removed: StorageEntryEvent = { type: 'StorageEntryRemoved', data: { key, at } };
const write = (value: string, seq: number | null, by: typeof signed | null = signed): WriteCommand => ({
  key,
  value,
  seq,
  signed: by,
  source: 'first',
  hasPlace: true,
  roomKibibytes: 4,
  metadata,
});
const entryOf = (events: readonly StorageEntryEvent[]) => events.reduce(evolve, initial());

describe('a signed write', () => {
  it.each([
    ['is the first of a key that was never written', [], write('AA==', 0), [written(1, 'AA==')]],
    ['of the state that was read is recorded', [written(4, 'AA==')], write('AQ==', 4), [written(5, 'AQ==')]],
    ['of an older state changes nothing', [written(4, 'AA==')], write('AQ==', 3), []],
    ['of a state that is not there yet changes nothing', [written(4, 'AA==')], write('AQ==', 5), []],
    ['of a key that was never written, but read as written, changes nothing', [], write('AQ==', 1), []],
    ['may take the place of an unsigned one', [written(1, '', null)], write('AQ==', 1), [written(2, 'AQ==')]],
  ] as const)('%s', (_what, events, command, expected) => {
    expect(decide(entryOf(events), command)).toEqual(expected);
  });
});

describe('a key', () => {
  const withoutPlace = (seq: number) => ({ ...write('AQ==', seq), source: 'later', hasPlace: false });
  const remove = { type: 'remove', key, metadata } as const;
  it.each([
    [
      'that exists is written without a place, and stays that of its first writer',
      [written(4, 'AA==')],
      withoutPlace(4),
      [written(5, 'AQ==')],
    ],
    ['that exists is removed', [written(4, 'AA==')], remove, [removed]],
    ['is removed once', [written(4, 'AA=='), removed], remove, []],
    ['that nobody has written is not removed', [], remove, []],
    [
      'that was removed is as one that was never written',
      [written(4, 'AA=='), removed],
      write('AQ==', 4),
      [],
    ],
    [
      'that was removed may be written again',
      [written(4, 'AA=='), removed],
      write('AQ==', 0),
      [written(1, 'AQ==')],
    ],
  ] as const)('%s', (_what, events, command, expected) => {
    expect(decide(entryOf(events), command)).toEqual(expected);
  });

  it.each([[[]], [[written(4, 'AA=='), removed]]])('is not written first without a place', events => {
    expect(decide(entryOf(events), withoutPlace(0))).toMatchObject({ code: 'too_many_storage_keys' });
  });
});

describe('a value', () => {
  const valueOf = (kibibytes: number) => Buffer.alloc(kibibytes * 1_024, 1).toString('base64');
  const stored = (kibibytes: number) => entryOf([written(4, valueOf(kibibytes))]);
  const later = (kibibytes: number, roomKibibytes: number) => ({
    ...write(valueOf(kibibytes), 4),
    source: 'later',
    hasPlace: false,
    roomKibibytes,
  });

  it.each([
    [5, 8],
    [5, 1],
    [8, 0],
  ])('of %p KiB is followed by one of %p without room for more, and its source stays', (before, after) => {
    expect(decide(stored(before), later(after, 0))).toMatchObject([{ data: { seq: 5, source: 'first' } }]);
  });

  it.each([
    [4, 5, 4],
    [8, 9, 8],
    [1, 700, 1_020],
  ])(
    'of %p KiB is followed by one of %p with room for %p more, whose source it has then',
    (before, after, room) => {
      expect(decide(stored(before), later(after, room))).toMatchObject([
        { data: { seq: 5, source: 'later' } },
      ]);
      expect(decide(stored(before), later(after, room - 1))).toMatchObject({
        code: 'too_many_storage_bytes',
      });
    },
  );

  it('is not the first one without room for it', () => {
    expect(decide(initial(), { ...write('AA==', 0), roomKibibytes: 3 })).toMatchObject({
      code: 'too_many_storage_bytes',
    });
  });
});

describe('a write without a signature', () => {
  it.each([
    ['is recorded as such', [], write('AA==', 0, null), [written(1, 'AA==', null)]],
    ['may name what it read', [written(2, '', null)], write('AA==', 1, null), []],
    ['may name nothing', [written(2, '', null)], write('AA==', null, null), [written(3, 'AA==', null)]],
  ] as const)('%s', (_what, events, command, expected) => {
    expect(decide(entryOf(events), command)).toEqual(expected);
  });

  it.each([1, null])('never goes over a signed one (seq %p)', seq => {
    expect(decide(entryOf([written(1, 'AA==')]), write('AQ==', seq, null))).toEqual(
      refuse('signature_required', expect.any(String) as string),
    );
  });
});

it.each([
  ['of the next state with this value', written(4, 'AQ=='), true],
  ['of the next state with another value', written(4, 'AA=='), false],
  ['of a later state with this value', written(5, 'AQ=='), false],
  ['of the state that was read', written(3, 'AQ=='), false],
])('a write is done when the entry is %s: %s', (_what, event, expected) => {
  expect(isOutcomeOf(write('AQ==', 3), entryOf([event]))).toBe(expected);
});
