import { beginCell, BitBuilder, BitReader, BitString, Cell } from '@ton/core';
// Their replacements are seen through the modules alone.
/* eslint-disable @typescript-eslint/no-require-imports */
import bags = require('@ton/core/dist/boc/cell/serialization');
import hashes = require('@ton/core/dist/boc/cell/wonderCalculator');
import checksum = require('@ton/core/dist/utils/crc32c');
/* eslint-enable @typescript-eslint/no-require-imports */
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
  read: bags.deserializeBoc,
  write: bags.serializeBoc,
  hashes: hashes.wonderCalculator,
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

/** What stands for a cell whose content is left out, as proofs have it: level 1. */
const prunedBranch = (hash: Buffer, depth: number): Cell =>
  new Cell({
    exotic: true,
    bits: beginCell().storeUint(0x0101, 16).storeBuffer(hash).storeUint(depth, 16).endCell().bits,
  });
const library = (hash: Buffer): Cell =>
  new Cell({ exotic: true, bits: beginCell().storeUint(2, 8).storeBuffer(hash).endCell().bits });

/** Each refers to some of those before it: the last is the root. */
const someCells = fc
  .array(
    fc.record({
      bits: someBits.filter(({ length }) => length <= 1_023),
      refs: fc.array(fc.nat(30), { maxLength: 4 }),
      kind: fc.constantFrom('ordinary', 'ordinary', 'ordinary', 'pruned', 'library'),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map(all => {
    const cells: Cell[] = [];
    for (const { bits, refs, kind } of all) {
      const hash = slow.sha256(String(cells.length));
      if (kind === 'pruned') cells.push(prunedBranch(hash, cells.length));
      else if (kind === 'library') cells.push(library(hash));
      else cells.push(new Cell({ bits, refs: refs.flatMap(n => cells.at(-1 - n) ?? []) }));
    }
    return cells.at(-1)!;
  });

/** Of all its levels, and of what is below it. */
function whole(cell: Cell): unknown {
  const levels = [0, 1, 2, 3].map(level => [cell.hash(level).toString('hex'), cell.depth(level)]);
  return [cell.type, cell.mask.value, cell.bits.toString(), levels, cell.refs.map(ref => ref.hash())];
}

it('writes the same bags of cells as the library, and reads the same in them', () => {
  const property = fc.property(someCells, fc.boolean(), fc.boolean(), (cell, idx, crc32) => {
    const bag = slow.write(cell, { idx, crc32 });
    expect(cell.toBoc({ idx, crc32 })).toEqual(bag);
    expect(Cell.fromBoc(bag).map(whole)).toEqual(slow.read(bag).map(whole));
  });
  fc.assert(property, runs(300));
});

it('computes the same hashes of cells as the library', () => {
  const property = fc.property(someCells, ({ type, bits, refs }) => {
    const { mask, hashes: computed, depths } = hashes.wonderCalculator(type, bits, refs);
    const expected = slow.hashes(type, bits, refs);
    expect([mask.value, computed, depths]).toEqual([expected.mask.value, expected.hashes, expected.depths]);
  });
  fc.assert(property, runs(300));
});

it('reads the same in broken bags as the library, and refuses the same', () => {
  const damage = fc.record({ at: fc.nat(400), byte: fc.nat(255), length: fc.nat(400) });
  const property = fc.property(someCells, fc.boolean(), damage, (cell, crc32, { at, byte, length }) => {
    const changed = slow.write(cell, { idx: false, crc32 });
    changed[at % changed.length] = byte;
    for (const bag of [changed, changed.subarray(0, length % changed.length)]) {
      const outcome = outcomeOf(() => Cell.fromBoc(bag).map(root => root && whole(root)));
      expect(outcome).toEqual(outcomeOf(() => slow.read(bag).map(root => root && whole(root))));
    }
  });
  fc.assert(property, runs(1_000));
});

it('is what the library calls', () => {
  expect(method(BitReader.prototype, '_preloadUint')).not.toBe(slow.preloadUint);
  expect(method(BitBuilder.prototype, 'writeBits')).not.toBe(slow.writeBits);
  expect(checksum.crc32c).not.toBe(slow.crc32c);
  expect(sha256).not.toBe(slow.sha256);
  expect(bags.deserializeBoc).not.toBe(slow.read);
  expect(bags.serializeBoc).not.toBe(slow.write);
  expect(hashes.wonderCalculator).not.toBe(slow.hashes);
});
