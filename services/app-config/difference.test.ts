import fc from 'fast-check';
import { canonicalJson } from '../../contracts/json/canonical-json';
import type { Json } from '../../contracts/json/json';
import { runs } from '../../test/random';
import { differences } from './difference';

it('names what was added, removed and changed', () => {
  const before = { features: { swap: true, 'a/b~c': 1 }, gone: null, same: [1, { x: 2 }], list: [1, 2] };
  const after = { features: { swap: false, new: 'text' }, same: [1, { x: 2 }], list: [1], kind: {} };
  expect(differences(before, after)).toEqual([
    { path: '/features/swap', before: true, after: false },
    { path: '/features/a~1b~0c', before: 1 },
    { path: '/features/new', after: 'text' },
    { path: '/gone', before: null },
    { path: '/list/1', before: 2 },
    { path: '/kind', after: {} },
  ]);
});

it('tells an object from an array', () => {
  expect(differences({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: '/a', before: [1], after: { 0: 1 } }]);
  expect(differences({ a: [] }, { a: {} })).toEqual([{ path: '/a', before: [], after: {} }]);
});

it('is empty for equal documents only', () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map(value => JSON.parse(JSON.stringify(value)) as Json);
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(differences(one, one)).toEqual([]);
      expect(differences(one, other).length > 0).toBe(canonicalJson(one) !== canonicalJson(other));
    }),
    runs(100),
  );
});
