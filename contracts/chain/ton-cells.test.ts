import { beginCell, Cell, CellType, type BitString } from '@ton/core';
import fc from 'fast-check';
import { runs } from '../../test/random';
import { rootOfSmallBag } from './ton-cells';

/** Trees whose cells have any number of bits, and use each other. */
const cells: fc.Arbitrary<Cell> = fc.letrec<{ cell: Cell }>(tie => ({
  cell: fc
    .tuple(
      fc.uint8Array({ maxLength: 127 }),
      fc.nat(7),
      fc.oneof(
        { depthSize: 'small' },
        fc.constant<Cell[]>([]),
        fc.array(tie('cell'), { maxLength: 3 }),
        tie('cell').map(cell => [cell, cell]),
      ),
    )
    .map(([bytes, bits, refs]) => {
      const builder = beginCell().storeBuffer(Buffer.from(bytes));
      if (bits > 0 && bytes.length < 127) builder.storeUint(1, bits);
      for (const ref of refs) builder.storeRef(ref);
      return builder.endCell();
    }),
})).cell;
const forms = fc.record({ idx: fc.boolean(), crc32: fc.boolean() });

const bitsOf = (boc: Buffer): BitString | undefined => {
  const root = rootOfSmallBag(boc);
  return root?.loadBits(root.remainingBits);
};

it('reads the bits of the root as the library does', () => {
  fc.assert(
    fc.property(cells, forms, (cell, form) => {
      expect(bitsOf(cell.toBoc(form))!.equals(cell.bits)).toBe(true);
    }),
    runs(300),
  );
});

it('throws nothing however a bag is damaged, and refuses one that ends early', () => {
  fc.assert(
    fc.property(cells, forms, fc.nat(), fc.nat(255), (cell, form, at, byte) => {
      const boc = Buffer.from(cell.toBoc(form));
      boc[at % boc.length] = byte;
      expect(() => rootOfSmallBag(boc)).not.toThrow();
      expect(rootOfSmallBag(cell.toBoc(form).subarray(0, at % boc.length))).toBeNull();
    }),
    runs(500),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), bytes => {
      expect(rootOfSmallBag(Buffer.concat([Buffer.from('b5ee9c72', 'hex'), bytes]))).toBeNull();
    }),
    runs(300),
  );
});

/** As many leaves as 2 to the depth, in as many cells as the depth. */
function doubled(depth: number): Cell {
  let cell = Cell.EMPTY;
  for (let n = 0; n < depth; n++) cell = beginCell().storeRef(cell).storeRef(cell).endCell();
  return cell;
}

/** A bag of cells of one byte each that refer to those after them, in as many levels as there are cells. */
function bagOf(count: number, refs: number): Buffer {
  const data = Array.from({ length: count }, (_, index) => {
    const later = Array.from({ length: refs }, (_, n) => index + n + 1).filter(ref => ref < count);
    const cell = Buffer.alloc(3 + 2 * later.length, 0xff);
    cell[0] = later.length;
    cell[1] = 2;
    later.forEach((ref, n) => cell.writeUInt16BE(ref, 3 + 2 * n));
    return cell;
  });
  const head = Buffer.alloc(17);
  head.writeUInt32BE(0xb5ee9c72);
  head.set([2, 3], 4);
  head.writeUInt16BE(count, 6);
  head.writeUInt16BE(1, 8);
  head.writeUIntBE(Buffer.concat(data).length, 12, 3);
  return Buffer.concat([head, ...data]);
}

const exotic = new Cell({
  exotic: true,
  bits: beginCell().storeUint(CellType.Library, 8).storeUint(0, 256).endCell().bits,
});

it.each<[string, Buffer]>([
  ['leaves that are few', doubled(10).toBoc()],
  ['cells up to the limit of depth', bagOf(1_025, 1)],
  ['a library below the root', beginCell().storeRef(exotic).endCell().toBoc()],
])('reads a bag with %s', (_, boc) => {
  expect(rootOfSmallBag(boc)).not.toBeNull();
});

it.each<[string, Buffer]>([
  ['leaves that are too many to read', doubled(20).toBoc()],
  ['cells below the limit of depth', bagOf(1_026, 1)],
  ['cells that use four others each', bagOf(5_000, 4)],
  ['more cells than a message has', bagOf(9_000, 0)],
  ['an exotic root', exotic.toBoc()],
  ['a cell that refers to itself', Buffer.from('b5ee9c7201010101000300010000', 'hex')],
  ['more roots than one', Buffer.from('b5ee9c72010102020004000100000000', 'hex')],
  ['a byte after its end', Buffer.concat([bagOf(1, 0), Buffer.alloc(1)])],
  ['a claim to more cells than it has', Buffer.from('b5ee9c7204040fffffff00000001', 'hex')],
])('refuses a bag with %s', (_, boc) => {
  expect(rootOfSmallBag(boc)).toBeNull();
});
