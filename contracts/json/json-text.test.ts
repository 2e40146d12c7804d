import fc from 'fast-check';
import { jsonArray, jsonObject, JsonText } from './json-text';
import { runs } from '../../test/random';

const text = <T>(value: T): JsonText<T> => new JsonText(JSON.stringify(value));

it('is the text that JSON.stringify gives, whichever members are text already', () => {
  const value = fc.jsonValue();
  const manner = fc.constantFrom('plain', 'text', 'texts');
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter(name => name !== '__proto__'),
        fc.tuple(manner, fc.array(value)),
      ),
      fields => {
        const plain = Object.fromEntries(Object.entries(fields).map(([name, [, values]]) => [name, values]));
        const members = Object.fromEntries(
          Object.entries(fields).map(([name, [as, values]]) => [
            name,
            as === 'plain' ? values : as === 'text' ? text(values) : values.map(text),
          ]),
        );
        const json = jsonObject<typeof plain>(members);
        expect(json.size).toBe(Buffer.byteLength(JSON.stringify(plain)));
        expect(Buffer.concat(json.parts).toString()).toBe(JSON.stringify(plain));
        expect(json.text).toBe(JSON.stringify(plain));
      },
    ),
    runs(200),
  );
});

it('leaves out what is undefined', () => {
  expect(jsonObject<{ a?: number; b: number }>({ a: undefined as never, b: 1 }).text).toBe('{"b":1}');
});

it('is a list of texts', () => {
  const values = [{ a: 1 }, { a: 2 }];
  expect(jsonArray(values.map(text)).parse()).toEqual(values);
  expect(jsonArray([]).text).toBe('[]');
});

it('is encoded once', () => {
  const row = text({ name: 'имя' });
  expect(row.size).toBe('{"name":"имя"}'.length);
  expect(row.bytes).toBe(row.bytes);
  expect(row.size).toBe(row.bytes.length);
  expect(new JsonText([row.bytes]).parse()).toEqual({ name: 'имя' });
});

it('is a value within what is serialised', () => {
  expect(JSON.stringify({ rows: [text({ a: 1 })] })).toBe('{"rows":[{"a":1}]}');
});
