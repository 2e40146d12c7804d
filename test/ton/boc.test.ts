import { beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import { firstRoots } from '../../indexers/ton/v4-source/first-roots';
import { joinBags } from '../../infra/devnet/ton/http/boc';
import { runs } from '../random';

const tree = (depth: number): fc.Arbitrary<Cell> =>
  fc
    .tuple(
      fc.bigInt({ min: 0n, max: (1n << 61n) - 1n }),
      fc.integer({ min: 0, max: 61 }),
      depth === 0 ? fc.constant([]) : fc.array(tree(depth - 1), { maxLength: 4 }),
    )
    .map(([value, bits, refs]) => {
      const builder = beginCell().storeUint(BigInt.asUintN(bits, value), bits);
      for (const ref of refs) builder.storeRef(ref);
      return builder.endCell();
    });

it('keeps the first roots of a bag of cells, whole', () => {
  fc.assert(
    fc.property(
      fc.array(tree(3), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 7 }),
      (roots, count) => {
        const kept = Cell.fromBoc(firstRoots(joinBags(roots.map(root => root.toBoc())), count));
        expect(kept.map(cell => cell.hash().toString('hex'))).toEqual(
          roots.slice(0, count).map(cell => cell.hash().toString('hex')),
        );
      },
    ),
    runs(100),
  );
});

it('reads bags with an index and a checksum too', () => {
  const cell = beginCell().storeUint(7, 13).storeRef(beginCell().storeUint(1, 1).endCell()).endCell();
  for (const idx of [true, false])
    for (const crc32 of [true, false])
      expect(Cell.fromBoc(firstRoots(cell.toBoc({ idx, crc32 }), 1))[0]!.equals(cell)).toBe(true);
});

it('refuses what is not a bag of cells or is truncated', () => {
  expect(() => firstRoots(Buffer.alloc(32), 1)).toThrow('not a bag of cells');
  const boc = joinBags([beginCell().storeUint(1, 32).endCell().toBoc(), beginCell().endCell().toBoc()]);
  expect(() => firstRoots(boc.subarray(0, boc.length - 8), 1)).toThrow('truncated');
});
