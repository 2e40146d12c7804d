import { type Builder, type Cell, Dictionary, type Slice, beginCell } from '@ton/core';
import fc from 'fast-check';
import { runs } from '../../../../../test/random';
import { type Augmentation, storeAugmented, storeAugmentedOrEmpty } from './augmented-dictionary';

const KEY_BITS = 256;

/** The sum of 32-bit numbers. */
const SUM: Augmentation<number> = {
  zero: 0,
  add: (left, right) => left + right,
  store: (sum, to) => void to.storeUint(sum, 32),
};
const NOTHING: Augmentation<null> = { zero: null, add: () => null, store: () => {} };

interface Entry {
  readonly key: bigint;
  readonly extra: number;
  readonly value: number;
}

const small = fc.nat({ max: 2 ** 20 });
/** Keys that share long prefixes, beside those that share none. */
const anyKey = (bits: number): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }),
    fc.nat({ max: 64 }).map(BigInt),
    fc.nat({ max: bits - 1 }).map(bit => 1n << BigInt(bit)),
  );
const anyEntries = (bits: number): fc.Arbitrary<Entry[]> =>
  fc.uniqueArray(fc.record({ key: anyKey(bits), extra: small, value: small }), {
    minLength: 1,
    maxLength: 40,
    selector: ({ key }) => key,
  });

const anyDictionary = fc
  .constantFrom(8, 64, 96, KEY_BITS)
  .chain(bits => anyEntries(bits).map(entries => ({ bits, entries })));

const stored = ({ key, extra, value }: Entry) => ({
  key,
  extra,
  store: (to: Builder) => void to.storeUint(value, 32),
});

function cellOf(entries: readonly Entry[], bits = KEY_BITS): { cell: Cell; sum: number } {
  const cell = beginCell();
  const sum = storeAugmented(cell, bits, entries.map(stored), SUM);
  return { cell: cell.endCell(), sum };
}

/** Reads with the library's dictionaries, which pass over the extras of forks. */
const leaves = {
  serialize: () => {},
  parse: (slice: Slice) => ({ extra: slice.loadUint(32), value: slice.loadUint(32) }),
};

/** The extra of every node, each beside the sum over its branches. */
function sums(node: Cell): { found: number; expected: number }[] {
  // It is the last that a fork has, and stands before the 32 bits of the value of a leaf.
  const slice = node.beginParse();
  const isFork = node.refs.length === 2;
  slice.skip(node.bits.length - (isFork ? 32 : 64));
  const found = slice.loadUint(32);
  if (!isFork) return [{ found, expected: found }];
  const branches = node.refs.map(sums);
  return [{ found, expected: branches.reduce((sum, [root]) => sum + root!.found, 0) }, ...branches.flat()];
}

it('is read back as it was written, in whichever order', () => {
  fc.assert(
    fc.property(anyDictionary, ({ bits, entries }) => {
      const { cell } = cellOf(entries, bits);
      const read = Dictionary.loadDirect(Dictionary.Keys.BigUint(bits), leaves, cell);
      const byKey = (a: Entry, b: Entry): number => (a.key < b.key ? -1 : 1);
      expect([...read].map(([key, leaf]) => ({ key, ...leaf })).sort(byKey)).toEqual(
        [...entries].sort(byKey),
      );
      expect(cellOf([...entries].reverse(), bits).cell.equals(cell)).toBe(true);
    }),
    runs(100),
  );
});

it('has at every node the sum of what is below, and answers with the whole', () => {
  fc.assert(
    fc.property(anyEntries(KEY_BITS), entries => {
      const { cell, sum } = cellOf(entries);
      const nodes = sums(cell);
      expect(nodes).toHaveLength(2 * entries.length - 1);
      for (const { found, expected } of nodes) expect(found).toBe(expected);
      expect(sum).toBe(entries.reduce((total, { extra }) => total + extra, 0));
      expect(nodes[0]!.found).toBe(sum);
    }),
    runs(100),
  );
});

it('has the same cells as a dictionary without extras, and so the shortest labels', () => {
  fc.assert(
    fc.property(anyEntries(KEY_BITS), entries => {
      const plain = Dictionary.empty(Dictionary.Keys.BigUint(KEY_BITS), Dictionary.Values.Uint(32));
      for (const { key, value } of entries) plain.set(key, value);
      const cell = beginCell();
      const silent = entries.map(entry => ({ ...stored(entry), extra: null }));
      storeAugmented(cell, KEY_BITS, silent, NOTHING);
      expect(cell.endCell().equals(beginCell().storeDictDirect(plain).endCell())).toBe(true);
    }),
    runs(100),
  );
});

it('may be empty, and then has the sum of nothing', () => {
  const written = (entries: readonly Entry[]): Slice => {
    const cell = beginCell();
    storeAugmentedOrEmpty(cell, KEY_BITS, entries.map(stored), SUM);
    return cell.asSlice();
  };
  const empty = written([]);
  expect([empty.loadBit(), empty.loadUint(32), empty.remainingBits]).toEqual([false, 0, 0]);
  const entries = [
    { key: 1n, extra: 5, value: 7 },
    { key: 2n, extra: 6, value: 8 },
  ];
  const two = written(entries);
  expect([two.loadBit(), two.loadUint(32)]).toEqual([true, 11]);
  expect(two.loadRef().equals(cellOf(entries).cell)).toBe(true);
});

it('refuses a key that is there twice, and one that is too long', () => {
  const entry = { key: 300n, extra: 1, value: 1 };
  expect(() => cellOf([entry, { ...entry, value: 2 }])).toThrow('twice');
  expect(() => cellOf([entry], 8)).toThrow('8 bits');
});
