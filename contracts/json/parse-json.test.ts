import fc from 'fast-check';
import { runs } from '../../test/random';
import type { MalformedJson } from './parse-json';
import { readJson } from './read-json';
import { parseJson, parseJsonText, repeatedMember } from './parse-json';

const faultOf = (text: string | Buffer): MalformedJson => {
  try {
    parseJson(Buffer.from(text as string));
  } catch (error) {
    return error as MalformedJson;
  }
  throw new Error('it was read');
};

describe('JSON with one reading', () => {
  it('is what ECMAScript reads, whatever its white space and escapes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(0, 1, '\t\r'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseJson(Buffer.from(text))).toEqual(readJson(text));
      }),
      runs(200),
    );
    expect(parseJson(Buffer.from('\ufeff[{"a":1},{"a":{"a":"a"}},"a","a"]'))).toEqual([
      { a: 1 },
      { a: { a: 'a' } },
      'a',
      'a',
    ]);
  });

  it.each([
    ['in the outermost object', '{"a":1,"b":2,"a":1}', ['a']],
    ['at depth, once escaped', '{"x":[0,{"y":{"b":1 , "\\u0062"\n:\t2}}]}', ['x', '1', 'y', 'b']],
    ['after texts that look like members', '{"a":"\\"b\\":","b":"\\\\","b":1}', ['b']],
    ['__proto__', '{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['a name of digits', '{"1":1,"0":1,"1":2}', ['1']],
    ['an empty name', '{"":{"":1,"":1}}', ['', '']],
    ['whose first value is replaced with its members', '{"a":{"b":{}},"a":1}', ['a']],
    [
      'of many levels',
      `${'{"a":'.repeat(9_999)}{"b":1,"b":1}${'}'.repeat(9_999)}`,
      [...Array<string>(9_999).fill('a'), 'b'],
    ],
  ])('has no member twice: %s', (_, text, path) => {
    expect(faultOf(text)).toMatchObject({ name: 'MalformedJson', path });
  });

  it('has no member twice, wherever it is put', () => {
    const objects = fc.letrec<{ value: string; object: string }>(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string().map(text => JSON.stringify(text)),
        fc.constantFrom('1', 'null', '[]', '{}', '"\\\\"', '"\\":"'),
        fc.array(tie('value')).map(items => `[${items.join(', ')}]`),
        tie('object'),
      ),
      object: fc
        .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"\\u0061"', '"\\\\"', '"a:"'), tie('value')))
        .map(members => `{${members.map(([name, value]) => `${name} :${value}`).join(',')}}`),
    })).value;
    /** A parser of its own: an object is an array of its members. */
    const hasRepeated = (text: string): boolean => {
      let repeated = false;
      const names: string[][] = [];
      for (const [token, string, after] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g)) {
        if (token === '{') names.push([]);
        else if (token === '}') {
          const own = names.pop()!;
          repeated ||= new Set(own).size < own.length;
        } else if (after) names.at(-1)!.push(JSON.parse(string!) as string);
      }
      return repeated;
    };
    fc.assert(
      fc.property(objects, text => {
        expect(repeatedMember(text, readJson(text)) !== null).toBe(hasRepeated(text));
      }),
      runs(500),
    );
  });

  it.each([
    ['UTF-8', Buffer.from('{"name":"Caf\xe9"}', 'latin1'), 'not UTF-8'],
    ['UTF-8 without halves of surrogate pairs', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'not UTF-8'],
    ['UTF-8 in the shortest form', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'not UTF-8'],
    ['one text', '{} {}', 'not JSON'],
    ['one byte order mark at most', '\ufeff\ufeff{}', 'not JSON'],
    ['complete', '{"a":', 'not JSON'],
  ])('is %s', (_, bytes, message) => {
    expect(faultOf(bytes as string).message).toContain(message);
    expect(faultOf(bytes as string).path).toBeNull();
  });

  it('is read in one pass, whatever it is full of', () => {
    // Quadratic, each of these would take minutes.
    for (const text of [
      `["${'\\\\'.repeat(1_000_000)}"]`,
      `["${'\\"'.repeat(1_000_000)}"]`,
      `{"a"${' '.repeat(2_000_000)}:1}`,
      `[${'"",'.repeat(700_000)}""]`,
      `{${Array.from({ length: 200_000 }, (_, i) => `"k${i}":1`).join()}}`,
      `${'['.repeat(1_000)}${'[],'.repeat(600_000)}1${']'.repeat(1_000)}`,
    ])
      expect(() => parseJsonText(text)).not.toThrow();
  });
});
