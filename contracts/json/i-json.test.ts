import fc from 'fast-check';
import { runs } from '../../test/random';
import { NotIJson, parseIJson } from './i-json';
import { readJson } from './read-json';

const parse = (text: string) => parseIJson(Buffer.from(text));

describe('I-JSON', () => {
  it('says that a text is not JSON, and where, without a quote of it', () => {
    for (const text of ['x\n', '{"a":', ''])
      expect(() => parse(text)).toThrow(/^it is not JSON(: line 1 column \d+)?$/);
  });

  it('is read as ECMAScript reads it, whatever its white space and escapes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parse(text)).toEqual(readJson(text));
      }),
      runs(100),
    );
    expect(parse('{"\\u0061":"\\ud83d\\ude00 \\" \\\\", "b":[{},[]]}')).toEqual({
      a: '😀 " \\',
      b: [{}, []],
    });
  });

  it.each([
    ['a name twice', '{"a":1,"a":1}', '"a" is there twice'],
    ['a name twice, once escaped', '{"a":{"b":1 , "\\u0062" : 2}}', '"b" is there twice'],
    ['a number beyond all others', '{"a":1e999}', '1e999'],
    ['a number with digits that are lost', '[15.0000000000000000001]', '15.0000000000000000001'],
    ['a number in another form', '[15.0]', '15.0'],
    ['a negative zero', '[-0]', '-0'],
    ['an integer that is rounded', '[9007199254740993]', '9007199254740993'],
    ['half of a surrogate pair', '["\\ud83d"]', 'surrogate'],
    ['deep nesting', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'deeper than 64'],
    ['more values than memory has room for', `[${'0,'.repeat(2 ** 23)}0]`, 'more than 8388608 values'],
    ['a text after it', '{} {}', 'JSON'],
    ['a byte order mark', '\ufeff{}', 'JSON'],
  ])('has no %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(NotIJson);
    expect(() => parse(text)).toThrow(message);
  });

  it('may be nested 64 deep', () => {
    expect(() => parse(`${'['.repeat(64)}${']'.repeat(64)}`)).not.toThrow();
    expect(() => parse(`${'['.repeat(65)}${']'.repeat(65)}`)).toThrow('deeper than 64');
  });

  it('is UTF-8', () => {
    expect(() => parseIJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(NotIJson);
  });

  it('may have the same name in several objects, and the same text as often as it likes', () => {
    expect(parse('[{"a":1},{"a":{"a":"a"}},"a","a"]')).toEqual([{ a: 1 }, { a: { a: 'a' } }, 'a', 'a']);
  });
});
