import fc from 'fast-check';
import { base64urlOf, decodeBase64, decodeBase64url } from './base64';
import { runs } from '../../test/random';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64URL = BASE64.replace('+/', '-_');

const bytes = fc.uint8Array({ maxLength: 70 }).map(array => Buffer.from(array));

describe.each([
  ['base64', decodeBase64, BASE64],
  ['base64url', decodeBase64url, BASE64URL],
] as const)('%s', (encoding, decode, alphabet) => {
  it('is decoded from its canonical form', () =>
    fc.assert(
      fc.property(bytes, value => expect(decode(value.toString(encoding))).toEqual(value)),
      runs(100),
    ));

  it('is rejected in any other form, so no two texts decode to the same bytes', () =>
    fc.assert(
      fc.property(
        bytes,
        fc.nat(),
        fc.constantFrom(...alphabet, '=', ' ', '\n'),
        (value, index, character) => {
          const text = value.toString(encoding);
          const at = index % (text.length + 1);
          const replaced = text.slice(0, at) + character + text.slice(at + 1);
          const inserted = text.slice(0, at) + character + text.slice(at);
          for (const other of [replaced, inserted])
            if (other !== text) expect(decode(other)?.equals(value) ?? false).toBe(false);
        },
      ),
      runs(100),
    ));
});

it.each(['HyO=', 'HyM5=', 'HyM', 'Hy M=', 'HyM=\n', 'H-M=', '====', 'A'])('the base64 %j is refused', text =>
  expect(decodeBase64(text)).toBeNull(),
);

it.each(['HyO', 'HyM=', 'Hy+M', 'A', 'HyM '])('the base64url %j is refused', text =>
  expect(decodeBase64url(text)).toBeNull(),
);

it('a schema of base64url accepts the canonical form of that many bytes only', () => {
  const schema = base64urlOf(32);
  const text = Buffer.alloc(32, 1).toString('base64url');
  expect(schema.safeParse(text).success).toBe(true);
  expect(schema.safeParse(`${text.slice(0, -1)}F`).success).toBe(false);
  expect(schema.safeParse(Buffer.alloc(31).toString('base64url')).success).toBe(false);
});
