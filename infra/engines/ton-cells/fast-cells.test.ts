import { BitBuilder, BitReader, BitString } from '@ton/core';
// Its replacement is seen through the module alone.
// eslint-disable-next-line @typescript-eslint/no-require-imports
import checksum = require('@ton/core/dist/utils/crc32c');
import { sha256_sync as sha256 } from '@ton/crypto';
import fc from 'fast-check';
import { runs } from '../../../test/random';
import { useFastCells } from './fast-cells';

/** As the library does it before it is replaced. */
const slow = {
  preloadUint: method(BitReader.prototype, '_preloadUint'),
  writeBits: method(BitBuilder.prototype, 'writeBits'),
  crc32c: checksum.crc32c,
  sha256,
};

beforeAll(useFastCells);

function method(of: object, name: string): (...given: unknown[]) => unknown {
  return (of as Record<string, (...given: unknown[]) => unknown>)[name]!;
}

/** Also the words of what is refused. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}

/** Within bytes of which others have a part. */
const someBits = fc
  .record({ bytes: fc.uint8Array({ maxLength: 130 }), offset: fc.nat(16), dropped: fc.nat(16) })
  .filter(({ bytes, offset, dropped }) => bytes.length * 8 >= offset + dropped)
  .map(
    ({ bytes, offset, dropped }) =>
      new BitString(Buffer.from(bytes), offset, bytes.length * 8 - offset - dropped),
  );

it('reads the same numbers as the library, and refuses the same', () => {
  const property = fc.property(
    someBits,
    fc.nat(300),
    fc.integer({ min: -2, max: 1_100 }),
    (bits, count, offset) => {
      const of = () => new BitReader(bits);
      const read = outcomeOf(() => method(BitReader.prototype, '_preloadUint').call(of(), count, offset));
      expect(read).toEqual(outcomeOf(() => slow.preloadUint.call(of(), count, offset)));
    },
  );
  fc.assert(property, runs(1_000));
});

it('writes the same bits as the library, and refuses the same', () => {
  const property = fc.property(fc.array(someBits, { maxLength: 4 }), fc.nat(2_000), (all, size) => {
    const written = (write: (...given: unknown[]) => unknown): unknown => {
      const builder = new BitBuilder(size);
      const refused = outcomeOf(() => {
        for (const bits of all) write.call(builder, bits);
      });
      return refused ?? builder.build().toString();
    };
    expect(written(method(BitBuilder.prototype, 'writeBits'))).toEqual(written(slow.writeBits));
  });
  fc.assert(property, runs(1_000));
});

it('computes the same checksums as the library', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
    expect(checksum.crc32c(Buffer.from(bytes))).toEqual(slow.crc32c(Buffer.from(bytes)));
  });
  fc.assert(property, runs(200));
});

it('computes the same hashes as the library, of bytes and of texts', () => {
  const source = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array().map(Buffer.from));
  const property = fc.property(source, given => {
    expect(sha256(given)).toEqual(slow.sha256(given));
  });
  fc.assert(property, runs(100));
});

it('is what the library calls', () => {
  expect(method(BitReader.prototype, '_preloadUint')).not.toBe(slow.preloadUint);
  expect(method(BitBuilder.prototype, 'writeBits')).not.toBe(slow.writeBits);
  expect(checksum.crc32c).not.toBe(slow.crc32c);
  expect(sha256).not.toBe(slow.sha256);
});
