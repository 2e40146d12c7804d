import type { Cell, Slice } from '@ton/core';

/** A key as text of 0 and 1. */
export function bitsOf(key: bigint, length: number): string {
  return key.toString(2).padStart(length, '0');
}

/**
 * Follows a key through `Hashmap` or `HashmapAug` of block.tlb, whose edges are the same.
 * @param edge its root
 * @param key text of 0 and 1, as long as keys are
 * @param open opens the cell of an edge
 * @returns what is stored behind the label of the leaf: value, and before it the extra; null when the key is missing
 */
export function seek(edge: Slice, key: string, open: (cell: Cell) => Slice): Slice | null {
  let slice = edge;
  for (let at = 0; ; at += 1) {
    const label = readLabel(slice, key.length - at);
    if (!key.startsWith(label, at)) return null;
    at += label.length;
    if (at === key.length) return slice;
    const branches = [slice.loadRef(), slice.loadRef()] as const;
    slice = open(branches[Number(key[at])]!);
  }
}

/** `HmLabel ~l n` of block.tlb. @param max n, the bits of the key that are left */
function readLabel(slice: Slice, max: number): string {
  const lengthBits = 32 - Math.clz32(max);
  const bits = (length: number): string => {
    if (length > max) throw new Error('label is longer than the key');
    return length === 0 ? '' : bitsOf(slice.loadUintBig(length), length);
  };
  if (!slice.loadBit()) {
    let length = 0;
    while (slice.loadBit()) length += 1;
    return bits(length);
  }
  if (!slice.loadBit()) return bits(slice.loadUint(lengthBits));
  const bit = slice.loadBit() ? '1' : '0';
  const length = slice.loadUint(lengthBits);
  if (length > max) throw new Error('label is longer than the key');
  return bit.repeat(length);
}
