import { countParameters } from './count-parameters';

describe('countParameters', () => {
  test.each<[string, number]>([
    ['SELECT 1', 0],
    ['SELECT ?, ?', 2],
    ['SELECT ?2, ?1, ?2', 2],
    ['SELECT ?3, ?', 4],
    ["SELECT '?', 'it''s ?', \"a?\", `b?`, [c?], ?", 1],
    ['SELECT ? -- what? ; \n, ? /* ? ; */', 2],
    ["SELECT data ->> '$.a', a$b, ? FROM t;", 1],
    ['SELECT 1; -- the end', 0],
  ])('%s takes %i', (sql, count) => expect(countParameters(sql)).toBe(count));

  test.each(['SELECT :name', 'SELECT @name', 'SELECT $name'])('%s is refused', sql =>
    expect(() => countParameters(sql)).toThrow('named parameter'),
  );

  test('a second statement, which libsql would ignore, is refused', () =>
    expect(() => countParameters('DELETE FROM a; DELETE FROM b')).toThrow('more than one statement'));
});
