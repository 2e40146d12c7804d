import fc from 'fast-check';
import { readJson } from './read-json';
import { runs } from '../../test/random';

/** A string, of which some characters are written as an escape. */
const string = fc
  .tuple(fc.array(fc.constantFrom(...'ab1\\"_\n'), { maxLength: 3 }), fc.boolean())
  .map(([characters, isEscaped]) => ({
    value: characters.join(''),
    text: isEscaped
      ? `"${characters.map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(characters.join('')),
  }));

interface Written {
  readonly value: unknown;
  readonly text: string;
}

/** An object as ECMAScript reads it: of members with one name the last value, in the place of the first. */
const objectOf = (members: readonly [Written, Written][]): Written => {
  const value = {};
  for (const [name, member] of members)
    Object.defineProperty(value, name.value as string, {
      value: member.value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  return { value, text: `{${members.map(([name, member]) => `${name.text} :${member.text}`).join(', ')}}` };
};

const written = fc.letrec<{ any: Written; object: Written; array: Written }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    string,
    fc.integer().map(value => ({ value, text: String(value) })),
    tie('object'),
    tie('array'),
  ),
  object: fc.array(fc.tuple(string, tie('any')), { maxLength: 4 }).map(objectOf),
  array: fc.array(tie('any'), { maxLength: 4 }).map(items => ({
    value: items.map(({ value }) => value),
    text: `[${items.map(({ text }) => text).join()}]`,
  })),
})).any;

describe('the value of a JSON text', () => {
  it('has the names that are written, with or without escapes, whatever was read before', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 5 }), texts => {
        for (const { text, value } of texts) {
          const read = readJson(text);
          expect(read).toEqual(value);
          expect(JSON.stringify(read)).toBe(JSON.stringify(value));
        }
      }),
      runs(500),
    );
  });

  it.each([
    ['{"h":[],"\\\\":0}', ['h', '\\']],
    ['{"h":1,"\\"":2}', ['h', '"']],
    ['{"h":1,"\\u0062":2,"c":3}', ['h', 'b', 'c']],
    ['{"h":1,"\\u005f_proto__":2}', ['h', '__proto__']],
    ['{"b":1,"\\u0061":2,"\\u0062":3}', ['b', 'a']],
    ['{"a":"\\u0062:","\\\\":"\\\\" ,"c" : "\\":"}', ['a', '\\', 'c']],
    ['{"b":1,"\\u0031":2}', ['1', 'b']],
  ])('of %s has the names %j', (text, names) => {
    expect(Object.keys(readJson(text) as object)).toEqual(names);
  });

  it('may be nested as deep as JSON.parse allows', () => {
    let value = readJson(`${'{"\\u0061":['.repeat(50_000)}${']}'.repeat(50_000)}`);
    let depth = 0;
    for (; value !== undefined; depth++) value = (value as { a: [unknown?] }).a[0];
    expect(depth).toBe(50_000);
  });

  it.each(['', '{"a', '{"a\\', '"\\"', '{"\\u0061":}', '{"\\x":1}', '\\'])('is not that of %j', text => {
    expect(() => readJson(text)).toThrow(SyntaxError);
  });
});
