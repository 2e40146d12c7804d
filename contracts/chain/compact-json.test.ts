import fc from 'fast-check';
import { runs } from '../../test/random';
import { createCompactJson } from './compact-json';

const { encode, decode } = createCompactJson('{"hash":"","body":"te6cckEBAQEA","account":"0:"}');

const bytes = fc.uint8Array({ maxLength: 300 });
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  bytes.map(of => Buffer.from(of).toString('base64')),
  bytes.map(of => Buffer.from(of).toString('hex')),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map(of => `-1:${Buffer.from(of).toString('hex')}`),
  // Not canonical: other bits after the last byte, upper case, no padding.
  fc.constantFrom(
    'A'.repeat(41) + 'B==',
    'AB'.repeat(32),
    'a'.repeat(65),
    'A'.repeat(30),
    '"'.repeat(40),
    '\u0001\u0002',
  ),
);
const json = fc.object({ values: [text, fc.double(), fc.constant(null)], key: text, maxDepth: 3 });

it('gives any JSON back, to the character', () => {
  fc.assert(
    fc.property(json, value => {
      const written = JSON.stringify(value);
      expect(decode(encode(written))).toBe(written);
    }),
    runs(300),
  );
});

it('holds strings longer than a run of bytes can be', () => {
  const written = JSON.stringify({ raw: Buffer.alloc(200_000, 7).toString('base64'), hash: 'ab'.repeat(32) });
  expect(decode(encode(written))).toBe(written);
});

it('does not take bytes that are not its own', () => {
  expect(() => decode(Buffer.from('{"type":"transaction"}'))).toThrow();
});
