import fc from 'fast-check';
import { runs } from '../../test/random';
import { differences } from './difference';

it('names what was added, removed and changed', () => {
  const before = { features: { swap: true, 'a/b~c': 1 }, gone: null, same: [1, { x: 2 }], list: [1, 2] };
  const after = { features: { swap: false, new: 'text' }, gone: {}, same: [1, { x: 2 }], list: [1] };
  expect(differences(before, after)).toEqual([
    { path: '/features/a~1b~0c', before: 1, after: null },
    { path: '/features/new', before: null, after: 'text' },
    { path: '/features/swap', before: true, after: false },
    { path: '/gone', before: null, after: {} },
    { path: '/list/1', before: 2, after: null },
  ]);
});

it('is empty for equal documents only', () => {
  const json = fc
    .jsonValue({ noUnicodeString: false })
    .map(value => JSON.parse(JSON.stringify({ value })) as never);
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(differences(one, one)).toEqual([]);
      // Members that are null are shown as absent ones are.
      const withoutNull = (value: unknown): string => JSON.stringify(value).replaceAll('null', '0');
      const [left, right] = [withoutNull(one), withoutNull(other)];
      const differ = differences(JSON.parse(left) as never, JSON.parse(right) as never).length > 0;
      expect(differ).toBe(
        JSON.stringify(sorted(JSON.parse(left))) !== JSON.stringify(sorted(JSON.parse(right))),
      );
    }),
    runs(100),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}
