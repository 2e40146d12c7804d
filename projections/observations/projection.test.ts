import fc from 'fast-check';
import { observationTombstone, type ObservationRecord } from '../../contracts/observation/observation';
import type { Document } from '../../contracts/ports/documents';
import type { LogMessage } from '../../contracts/ports/log';
import { observationProjection } from './projection';
import { runs } from '../../test/random';

const projection = observationProjection({ kind: 'pool.parameters', ages: true });

const message = (record: ObservationRecord): LogMessage => ({
  topic: 'observations',
  partition: 0,
  offset: 0,
  timestamp: 0,
  headers: {},
  key: `${record.kind}/${record.subject}`,
  value: Buffer.from(JSON.stringify(record)),
});
const read = (height: number | null, second: number, data = 'x'): ObservationRecord => ({
  kind: 'pool.parameters',
  subject: 's',
  height,
  at: new Date(second * 1_000).toISOString(),
  data,
});
const fold = (observations: readonly ObservationRecord[], start: Document | null = null): Document | null =>
  observations.map(message).reduce<Document | null>((document, input) => {
    const [key] = projection.touches(input);
    return key ? projection.fold(document, input, key) : document;
  }, start);

test('takes the records of its kind only', () => {
  expect(projection).toMatchObject({ name: 'observed-pool-parameters', version: 1 });
  expect(projection.touches(message(read(1, 1)))).toEqual([
    { collection: 'observed_pool_parameters', id: 's' },
  ]);
  expect(projection.touches(message({ ...read(1, 1), kind: 'pool.parameters2' }))).toEqual([]);
  expect(projection.touches(message({ ...read(1, 1), kind: 'pool' }))).toEqual([]);
});

test('the higher observation wins although it was read earlier by the clock', () => {
  expect(fold([read(9, 1, 'high'), read(8, 2, 'low')])).toMatchObject({ height: 9, data: 'high' });
});

test('without different heights the later observation wins', () => {
  expect(fold([read(null, 1, 'early'), read(null, 2, 'late')])).toMatchObject({ data: 'late' });
  expect(fold([read(9, 2, 'late'), read(9, 1, 'early')])).toMatchObject({ data: 'late' });
});

test('an observation that merges keeps of the older reading what it says', () => {
  const merging = observationProjection({
    kind: 'pool.parameters',
    ages: true,
    merge: (older, newer) => `${String(older.data)} ${older.height}, ${String(newer.data)} ${newer.height}`,
  });
  const documents = [read(8, 1, 'old'), read(9, 2, 'new'), read(7, 3, 'late')]
    .map(message)
    .reduce<Document | null>(
      (document, input) => merging.fold(document, input, merging.touches(input)[0]!),
      null,
    );
  expect(documents).toMatchObject({ height: 9, data: 'old 8, new 9' });
});

test('a tombstone removes the subject, and the next observation adds it again, whatever its height', () => {
  const tombstone = { ...message(read(0, 0)), ...observationTombstone('pool.parameters', 's') };
  const [key] = projection.touches(tombstone);
  expect(key).toEqual({ collection: 'observed_pool_parameters', id: 's' });
  expect(projection.fold(fold([read(9, 9)]), tombstone, key!)).toBeNull();
  expect(projection.fold(null, tombstone, key!)).toBeNull();
  expect(fold([read(5, 10, 'again')], projection.fold(fold([read(9, 9)]), tombstone, key!))).toMatchObject({
    height: 5,
    data: 'again',
  });
});

test('neither order nor repetition matters', () => {
  const observation = fc.record({ height: fc.nat(5), second: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(observation, { minLength: 1 }), fc.infiniteStream(fc.nat()), (drawn, order) => {
      const all = drawn.map(({ height, second }) => read(height, second, `${height}/${second}`));
      const shuffled = [...all].sort(() => (order.next().value % 2 === 0 ? 1 : -1));
      const once = fold(all);
      expect(fold(shuffled)).toEqual(once);
      expect(fold(all, once)).toBe(once);
    }),
    runs(100),
  );
});
