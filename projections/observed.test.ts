import fc from 'fast-check';
import type { Observation } from '../contracts/chain/observation';
import type { Document } from '../contracts/ports/documents';
import type { LogMessage } from '../contracts/ports/log';
import { observedProjection } from './observed';

const projection = observedProjection({ name: 'p', version: 1, kind: 'k', collection: 'c' });

const message = (observation: Observation): LogMessage => ({
  topic: 'observations',
  partition: 0,
  offset: 0,
  timestamp: 0,
  headers: {},
  key: `${observation.kind}/${observation.subject}`,
  value: Buffer.from(JSON.stringify(observation)),
});
const read = (height: number | null, second: number, data = 'x'): Observation => ({
  kind: 'k',
  subject: 's',
  height,
  at: new Date(second * 1_000).toISOString(),
  data,
});
const fold = (observations: readonly Observation[], start: Document | null = null): Document | null =>
  observations.map(message).reduce<Document | null>((document, input) => {
    const [key] = projection.touches(input);
    return key ? projection.fold(document, input, key) : document;
  }, start);

test('takes what is of its kind only', () => {
  expect(projection.touches(message(read(1, 1)))).toEqual([{ collection: 'c', id: 's' }]);
  expect(projection.touches(message({ ...read(1, 1), kind: 'kk' }))).toEqual([]);
});

test('the higher observation wins although it was read earlier by the clock', () => {
  expect(fold([read(9, 1, 'high'), read(8, 2, 'low')])).toMatchObject({ height: 9, data: 'high' });
});

test('where heights say nothing the later one wins', () => {
  expect(fold([read(null, 1, 'early'), read(null, 2, 'late')])).toMatchObject({ data: 'late' });
  expect(fold([read(9, 2, 'late'), read(9, 1, 'early')])).toMatchObject({ data: 'late' });
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
  );
});
