import { Cell, beginCell } from '@ton/core';
import fc from 'fast-check';
import { joinBags } from './boc';
import { runs } from '../../../../test/random';

/** Cells of any size and shape, with some shared children. */
const { cell } = fc.letrec<{ cell: Cell }>(tie => ({
  cell: fc
    .record({
      data: fc.uint8Array({ maxLength: 120 }),
      odd: fc.integer({ min: 0, max: 7 }),
      refs: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie('cell'), { maxLength: 3 })),
      twice: fc.boolean(),
    })
    .map(({ data, odd, refs, twice }) => {
      const builder = beginCell().storeBuffer(Buffer.from(data)).storeUint(0, odd);
      for (const ref of refs) builder.storeRef(ref);
      if (twice && refs[0]) builder.storeRef(refs[0]);
      return builder.endCell();
    }),
}));

const hashes = (cells: readonly Cell[]): string[] => cells.map(root => root.hash().toString('hex'));

it('joins bags into one with all their roots in order', () => {
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 1, maxLength: 20 }),
      fc.record({ idx: fc.boolean(), crc32: fc.boolean() }),
      (cells, options) => {
        const joined = Cell.fromBoc(joinBags(cells.map(root => root.toBoc(options))));
        expect(hashes(joined)).toEqual(hashes(cells));
      },
    ),
    runs(100),
  );
});

it('widens references when there are more than 255 cells', () => {
  const many = Array.from({ length: 400 }, (_, i) =>
    beginCell().storeRef(beginCell().storeUint(i, 32).endCell()).endCell(),
  );
  expect(hashes(Cell.fromBoc(joinBags(many.map(root => root.toBoc()))))).toEqual(hashes(many));
});

it('rejects what is not a bag of cells', () => {
  expect(() => joinBags([Buffer.from('not a bag of cells')])).toThrow('not a bag of cells');
});
