import fc from 'fast-check';
import { categoryFilter } from './category-filter';
import { runs } from '../../../../test/random';

test.each<[string[] | undefined, string, boolean]>([
  [['fee'], 'fee-1', true],
  [['fee'], 'fee', true],
  [['fee'], 'fee-1-2', true],
  [['fee'], 'fees-1', false],
  [['fee', 'invoice'], 'invoice-1', true],
  [['fee'], '$fee-1', false],
  [['$ce'], '$ce-fee', false],
  [undefined, 'fee-1', true],
  [undefined, '$ce-fee', false],
  [undefined, '$$fee-1', false],
  [[], 'fee-1', false],
  [[], '-1', false],
])('of %j, %s is one: %p', (categories, stream, expected) => {
  expect(categoryFilter(categories).matches(stream)).toBe(expected);
});

const names = fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom('a', 'b', '-', '$') });

test('the server filter never excludes a stream that matches', () => {
  const property = fc.property(
    fc.option(fc.array(names), { nil: undefined }),
    names,
    (categories, stream) => {
      const { serverFilter: filter, matches: has } = categoryFilter(categories);
      const passes =
        'regex' in filter
          ? new RegExp(filter.regex).test(stream)
          : filter.prefixes.some(prefix => stream.startsWith(prefix));
      expect(passes || !has(stream)).toBe(true);
    },
  );
  fc.assert(property, runs(100));
});
