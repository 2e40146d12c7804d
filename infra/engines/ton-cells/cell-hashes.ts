import { hash } from 'node:crypto';
import { CellType } from '@ton/core';
import { LevelMask } from '@ton/core/dist/boc/cell/LevelMask';
import type { wonderCalculator } from '@ton/core/dist/boc/cell/wonderCalculator';
import { bitsDescriptor, writePadded } from './bits';

export type ComputeHashes = typeof wonderCalculator;

const HASH_BYTES = 32;
const NO_LEVELS = new LevelMask(0);
/** What is hashed of a cell: two bytes that describe it, its bits, then depth and hash of its at most four references. */
const representation = Buffer.alloc(2 + 128 + 4 * (2 + HASH_BYTES));

/** Of an ordinary cell without pruned branches below it, which has the same hash at all levels; others are left to the library. */
export function fastHashes(library: ComputeHashes): ComputeHashes {
  return (type, bits, refs) => {
    if (type !== CellType.Ordinary || refs.some(({ mask }) => mask.value !== 0))
      return library(type, bits, refs);
    representation[0] = refs.length;
    representation[1] = bitsDescriptor(bits);
    let end = writePadded(bits, representation, 2);
    let depth = 0;
    for (const ref of refs) {
      const below = ref.depth();
      depth = Math.max(depth, below + 1);
      representation[end++] = below >> 8;
      representation[end++] = below;
    }
    for (const ref of refs) end += ref.hash().copy(representation, end);
    const computed = hash('sha256', representation.subarray(0, end), 'buffer');
    // Of the levels 0 to 3.
    return {
      mask: NO_LEVELS,
      hashes: [computed, computed, computed, computed],
      depths: [depth, depth, depth, depth],
    };
  };
}
