import { createCallerCounts } from './caller-counts';

it('counts what each caller has, and what all have, each out once', () => {
  const counts = createCallerCounts();
  const [first, second, other] = [counts.add('a'), counts.add('a'), counts.add('b')];
  expect([counts.all, counts.of('a'), counts.of('b'), counts.of('c')]).toEqual([3, 2, 1, 0]);
  first();
  first();
  expect([counts.all, counts.of('a'), counts.of('b')]).toEqual([2, 1, 1]);
  second();
  other();
  expect([counts.all, counts.of('a'), counts.of('b')]).toEqual([0, 0, 0]);
  const heavy = counts.add('a', 10);
  counts.add('a');
  expect([counts.all, counts.of('a')]).toEqual([11, 11]);
  heavy();
  expect([counts.all, counts.of('a')]).toEqual([1, 1]);
});
