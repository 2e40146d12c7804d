import './ton-cells-copied';
import { BitReader, BitString, Cell, crc32c, Slice } from '@ton/core';

/** Of a message (configuration parameter 43: `max_msg_cells`). */
const MAX_CELLS = 8_192;
/** Of any cell. */
const MAX_DEPTH = 1_024;

const MAGIC = 0xb5ee9c72;
const HAS_INDEX = 0x80;
const HAS_CHECKSUM = 0x40;
const CHECKSUM_BYTES = 4;
const MAX_REFS = 4;
const EXOTIC = 0x08;
const WITH_HASHES = 0x10;

/** A cell that refers to cells after it alone, as every cell does. */
interface ScannedCell {
  readonly isExotic: boolean;
  readonly bits: BitString;
  readonly refs: readonly number[];
}

/**
 * The bits of the root of a bag of cells (`serialized_boc` of boc.tlb) that has one, which is an ordinary cell; null when it is
 * anything else, or more than a decoder can read: a message has no more cells, each counted as often as it is used. A few
 * hundred cells that use each other twice are more than dictionaries and tuples can ever be read from.
 *
 * Computes no hashes, which take a quarter of a second for the cells of one message.
 * @param maxCells default: of a message
 */
export function rootOfSmallBag(boc: Buffer, maxCells = MAX_CELLS): Slice | null {
  try {
    const bag = scan(boc);
    if (!bag || !isSmall(bag.cells, bag.root, maxCells)) return null;
    const { isExotic, bits } = bag.cells[bag.root]!;
    return isExotic ? null : new Slice(new BitReader(bits), []);
  } catch {
    // A number beyond the end: `RangeError`.
    return null;
  }
}

/**
 * The root of such a bag with its hashes, which may be exotic, as that of a Merkle proof is; null as above, and for an exotic cell
 * that is not of its form.
 * @param maxCells default: of a message
 */
export function cellOfSmallBag(boc: Buffer, maxCells = MAX_CELLS): Cell | null {
  try {
    const bag = scan(boc);
    return bag && isSmall(bag.cells, bag.root, maxCells) ? Cell.fromBoc(boc)[0]! : null;
  } catch {
    return null;
  }
}

/** @throws RangeError when it ends early */
function scan(boc: Buffer): { readonly root: number; readonly cells: readonly ScannedCell[] } | null {
  let at = 0;
  const uint = (bytes: number): number => {
    const value = boc.readUIntBE(at, bytes);
    at += bytes;
    return value;
  };
  if (uint(4) !== MAGIC) return null;
  const flags = uint(1);
  const size = flags & 7;
  const offsetBytes = uint(1);
  const [count, roots, absent] = [uint(size), uint(size), uint(size)];
  if (count > MAX_CELLS || roots !== 1 || absent !== 0) return null;
  const totalBytes = uint(offsetBytes);
  const root = uint(size);
  if (flags & HAS_INDEX) at += count * offsetBytes;
  const end = at + totalBytes;

  const cells: ScannedCell[] = [];
  while (cells.length < count) {
    const [descriptor, halfBytes] = [uint(1), uint(1)];
    const bytes = Math.ceil(halfBytes / 2);
    const bits = bitsOf(boc, at, bytes, halfBytes % 2 === 1);
    at += bytes;
    const refs = Array.from({ length: descriptor & 7 }, () => uint(size));
    if (!bits || refs.length > MAX_REFS || descriptor & WITH_HASHES) return null;
    if (refs.some(ref => ref <= cells.length || ref >= count)) return null;
    cells.push({ isExotic: (descriptor & EXOTIC) !== 0, bits, refs });
  }
  if (at !== end || root >= count) return null;
  if (!(flags & HAS_CHECKSUM)) return at === boc.length ? { root, cells } : null;
  const isWhole =
    boc.length === end + CHECKSUM_BYTES && crc32c(boc.subarray(0, end)).equals(boc.subarray(end));
  return isWhole ? { root, cells } : null;
}

/** @param isPartial the last byte ends with a 1 and zeros, which are not part of the data */
function bitsOf(boc: Buffer, at: number, bytes: number, isPartial: boolean): BitString | null {
  if (!isPartial) return new BitString(boc, at * 8, bytes * 8);
  const last = boc.readUInt8(at + bytes - 1);
  if (last === 0) return null;
  const padding = 32 - Math.clz32(last & -last);
  return new BitString(boc, at * 8, bytes * 8 - padding);
}

function isSmall(cells: readonly ScannedCell[], root: number, maxCells: number): boolean {
  const sizes = new Float64Array(cells.length).fill(1);
  const depths = new Uint16Array(cells.length);
  for (let index = cells.length - 1; index >= root; index--)
    for (const ref of cells[index]!.refs) {
      sizes[index]! += sizes[ref]!;
      depths[index] = Math.max(depths[index]!, depths[ref]! + 1);
    }
  return sizes[root]! <= maxCells && depths[root]! <= MAX_DEPTH;
}

/** A tree may have as many cells without a look at how many of them are the same. */
const MIN_CELLS = 256;
/** How often each cell of a larger one may be used, on average. */
const MAX_USES = 8;

/**
 * Whether a tree of cells has no more of them than a message may have, each counted as often as it is used, nor many more than were
 * sent. A decoder that follows every reference, as that of dictionaries and tuples, reads so many: fourteen cells that use each other
 * twice are 8,191, and a few hundred are more than it can ever read.
 * @param max default: of a message
 */
export function isSmallTree(root: Cell, max = MAX_CELLS): boolean {
  const sizes = new Map<Cell, number>();
  const sizeOf = (cell: Cell): number => {
    const known = sizes.get(cell);
    if (known !== undefined) return known;
    const size = cell.refs.reduce((sum, ref) => sum + sizeOf(ref), 1);
    sizes.set(cell, size);
    return size;
  };
  const size = sizeOf(root);
  return size <= max && size <= Math.max(MIN_CELLS, MAX_USES * sizes.size);
}
