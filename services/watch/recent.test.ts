import { createRecent } from './recent';

it('forgets the key that was not asked for the longest', () => {
  const recent = createRecent(2);
  recent.add('a');
  recent.add('b');
  expect(recent.has('a')).toBe(true);
  recent.add('c');
  expect(['a', 'b', 'c'].map(key => recent.has(key))).toEqual([true, false, true]);
});
