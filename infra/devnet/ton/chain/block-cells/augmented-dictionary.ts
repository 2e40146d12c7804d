import { type Builder, beginCell } from '@ton/core';

/** What every node of an augmented dictionary has beside its value or its two branches. */
export interface Augmentation<Extra> {
  /** Of a dictionary without entries. */
  readonly zero: Extra;
  add(left: Extra, right: Extra): Extra;
  store(extra: Extra, to: Builder): void;
}

export interface AugmentedEntry<Extra> {
  readonly key: bigint;
  readonly extra: Extra;
  readonly store: (to: Builder) => void;
}

interface Leaf<Extra> extends AugmentedEntry<Extra> {
  /** The key as text of 0 and 1. */
  readonly bits: string;
}

/**
 * Writes `HashmapAug n X Y` of block.tlb: a label; then, at a leaf, extra and value; else two references, and the sum of
 * their extras.
 * @param keyBits n
 * @param entries at least one, in any order
 * @returns the sum of all extras
 * @throws RangeError for a key that is there twice, or too long
 */
export function storeAugmented<Extra>(
  to: Builder,
  keyBits: number,
  entries: readonly AugmentedEntry<Extra>[],
  augmentation: Augmentation<Extra>,
): Extra {
  const leaves = entries
    .map(entry => ({ ...entry, bits: bitsOf(entry.key, keyBits) }))
    .sort((a, b) => (a.bits < b.bits ? -1 : 1));
  return storeEdge(to, leaves, 0, augmentation);
}

/** Writes `HashmapAugE n X Y`, which may be empty. @returns the sum of all extras */
export function storeAugmentedOrEmpty<Extra>(
  to: Builder,
  keyBits: number,
  entries: readonly AugmentedEntry<Extra>[],
  augmentation: Augmentation<Extra>,
): Extra {
  let sum = augmentation.zero;
  to.storeBit(entries.length > 0);
  if (entries.length > 0) {
    const root = beginCell();
    sum = storeAugmented(root, keyBits, entries, augmentation);
    to.storeRef(root);
  }
  augmentation.store(sum, to);
  return sum;
}

function bitsOf(key: bigint, length: number): string {
  const bits = key.toString(2).padStart(length, '0');
  if (bits.length > length) throw new RangeError(`key does not fit into ${length} bits`);
  return bits;
}

/** @param leaves sorted; all have the same bits before `from` */
function storeEdge<Extra>(
  to: Builder,
  leaves: readonly Leaf<Extra>[],
  from: number,
  augmentation: Augmentation<Extra>,
): Extra {
  const [first, last] = [leaves[0]!, leaves.at(-1)!];
  const { length } = first.bits;
  let at = from;
  while (at < length && first.bits[at] === last.bits[at]) at++;
  storeLabel(to, first.bits.slice(from, at), length - from);
  if (at === length) {
    if (leaves.length > 1) throw new RangeError('key is there twice');
    augmentation.store(first.extra, to);
    first.store(to);
    return first.extra;
  }
  const middle = leaves.findIndex(({ bits }) => bits[at] === '1');
  const storeBranch = (branch: readonly Leaf<Extra>[]): Extra => {
    const cell = beginCell();
    const extra = storeEdge(cell, branch, at + 1, augmentation);
    to.storeRef(cell);
    return extra;
  };
  const left = storeBranch(leaves.slice(0, middle));
  const sum = augmentation.add(left, storeBranch(leaves.slice(middle)));
  augmentation.store(sum, to);
  return sum;
}

/**
 * `hml_short$0 len:(Unary ~n) s:(n * Bit)`, `hml_long$10 n:(#<= m) s:(n * Bit)` or `hml_same$11 v:Bit n:(#<= m)`: the
 * shortest, the first of equally short ones, as nodes write it.
 * @param max m, the number of bits of the key that are left
 */
function storeLabel(to: Builder, label: string, max: number): void {
  const { length } = label;
  const lengthBits = 32 - Math.clz32(max);
  const isSame = length > 1 && !label.includes(label[0] === '0' ? '1' : '0');
  if (isSame && lengthBits < 2 * length - 1) {
    to.storeUint(0b11, 2)
      .storeBit(label[0] === '1')
      .storeUint(length, lengthBits);
    return;
  }
  if (lengthBits < length) to.storeUint(0b10, 2).storeUint(length, lengthBits);
  else to.storeBit(0).storeUint((1n << BigInt(length + 1)) - 2n, length + 1);
  if (length > 0) to.storeUint(BigInt(`0b${label}`), length);
}
