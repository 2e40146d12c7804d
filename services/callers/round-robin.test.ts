import fc from 'fast-check';
import { runs } from '../../test/random';
import { roundRobin } from './round-robin';

const sourceOf = (item: string): string => item[0]!;

it('serves the first of each source before the second of any', () => {
  expect(roundRobin(['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2'], sourceOf)).toEqual([
    'a1',
    'b1',
    'c1',
    'a2',
    'b2',
    'a3',
    'a4',
  ]);
  expect(roundRobin([], sourceOf)).toEqual([]);
});

it('cuts off nothing of a source that has no more than its part, whatever the others add', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      (sources, limit) => {
        const kept = roundRobin(sources, source => source).slice(0, limit);
        const count = (all: readonly string[], source: string) => all.filter(each => each === source).length;
        const part = Math.floor(limit / new Set(sources).size);
        for (const source of new Set(sources))
          expect(count(kept, source)).toBeGreaterThanOrEqual(Math.min(part, count(sources, source)));
      },
    ),
    runs(200),
  );
});
