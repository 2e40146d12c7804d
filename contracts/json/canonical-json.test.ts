import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json';
import type { Json } from './json';
import { readJson } from './read-json';
import { runs } from '../../test/random';

describe('canonical JSON', () => {
  it('writes literals, numbers and strings as RFC 8785, section 3.2.2, shows', () => {
    const value = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`) as Json;
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('orders keys by UTF-16 code units, as section 3.2.3 shows', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const written = canonicalJson(Object.fromEntries(keys.map(key => [key, 0])));
    expect(Object.keys(JSON.parse(written) as object)).toEqual([
      '1',
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
    expect(written.startsWith('{"\\r":0,"1":0,')).toBe(true);
  });

  it.each(['10', '9', '0', '1a', '__proto__', 'constructor', ''])(
    'takes %j for a key like any other',
    key => {
      const value = JSON.parse(`[{"z":1,"a":{${JSON.stringify(key)}:{"d":0,"c":"é"},"!":[]}}]`) as Json;
      const [first, second] = ['!', key].sort();
      const member = (name: string) => (name === '!' ? '"!":[]' : `${JSON.stringify(key)}:{"c":"é","d":0}`);
      expect(canonicalJson(value)).toBe(`[{"a":{${member(first!)},${member(second!)}},"z":1}]`);
    },
  );

  it('is what the reference implementation of RFC 8785 writes', () =>
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
        expect(canonicalJson(value as Json)).toBe(canonicalize(value));
      }),
      runs(300),
    ));

  it('agrees with it on every number and on keys of any characters', () =>
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 8 }),
        (number, keys) => {
          const value = Object.fromEntries(keys.map(key => [key, number]));
          expect(canonicalJson(value)).toBe(canonicalize(value));
        },
      ),
      runs(300),
    ));

  it('does not depend on the order in which members were set', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), object => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(reversed as Json)).toBe(canonicalJson(object as Json));
        expect(readJson(canonicalJson(object as Json))).toEqual(readJson(JSON.stringify(object)));
      }),
      runs(100),
    ));
});
