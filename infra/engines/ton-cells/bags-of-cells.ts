import { BitString, Cell, CellType } from '@ton/core';
import { topologicalSort } from '@ton/core/dist/boc/cell/utils/topologicalSort';
import { crc32c } from './crc32c';
import { bitsDescriptor, writePadded } from './bits';

/*
 * A bag of cells is `serialized_boc` of boc.tlb: a header, and cells, each before those that it refers to. A cell is two bytes that
 * describe it, its bits, and the numbers of the cells that it refers to.
 */
const MAGIC = 0xb5ee9c72;
const CHECKSUM_BYTES = 4;
const HAS_INDEX = 0x80;
const HAS_CHECKSUM = 0x40;
const SIZE = 7;
const EXOTIC = 8;
const HAS_HASHES = 16;
const MAX_REFS = 4;
/** So many bytes are exact in a number. */
const MAX_NUMBER_BYTES = 6;

export type ReadBag = (source: Buffer) => Cell[];
export type WriteBag = (root: Cell, options: { readonly idx: boolean; readonly crc32: boolean }) => Buffer;

/** Bags in their usual form; all others, and those that are broken, are left to the library, which says so. */
export function fastReadBag(library: ReadBag): ReadBag {
  return source => rootsIn(source) ?? library(source);
}

interface Header {
  /** Bytes of the number of a cell. */
  readonly size: number;
  readonly count: number;
  readonly roots: readonly number[];
  /** Where the cells begin and end. */
  readonly begin: number;
  readonly end: number;
}

function headerOf(source: Buffer): Header | null {
  if (source.length < 6 || source.readUInt32BE(0) !== MAGIC) return null;
  const [flags, offsetSize] = [source[4]!, source[5]!];
  const size = flags & SIZE;
  if (size === 0 || size > CHECKSUM_BYTES || offsetSize === 0 || offsetSize > MAX_NUMBER_BYTES) return null;
  if (source.length < 6 + 3 * size + offsetSize) return null;
  const number = (n: number): number => source.readUIntBE(6 + n * size, size);
  const [count, rootCount] = [number(0), number(1)];
  let at = 6 + 3 * size;
  const total = source.readUIntBE(at, offsetSize);
  at += offsetSize;
  const begin = at + rootCount * size + (flags & HAS_INDEX ? count * offsetSize : 0);
  const end = begin + total;
  if (end + (flags & HAS_CHECKSUM ? CHECKSUM_BYTES : 0) > source.length) return null;
  const roots: number[] = [];
  for (; roots.length < rootCount; at += size) roots.push(source.readUIntBE(at, size));
  if (flags & HAS_CHECKSUM) {
    const checksum = crc32c(source.subarray(0, -CHECKSUM_BYTES));
    if (checksum.compare(source, end, end + CHECKSUM_BYTES) !== 0) return null;
  }
  return { size, count, roots, begin, end };
}

/** Null where the library has to look. */
function rootsIn(source: Buffer): Cell[] | null {
  const header = headerOf(source);
  if (!header || header.count * 2 > header.end - header.begin) return null;
  const { size, count, roots, begin, end } = header;
  const data = source.subarray(begin, end);
  const starts: number[] = [];
  let at = 0;
  for (let n = 0; n < count; n++) {
    if (at + 2 > data.length) return null;
    const [refs, bytes] = [data[at]! & 7, (data[at + 1]! + 1) >> 1];
    if (refs > MAX_REFS || data[at]! & HAS_HASHES) return null;
    starts.push(at);
    at += 2 + bytes + refs * size;
  }
  if (at > data.length) return null;

  const cells: Cell[] = [];
  for (let n = count - 1; n >= 0; n--) {
    const start = starts[n]!;
    const bits = bitsAt(data, start + 2, data[start + 1]!);
    if (!bits) return null;
    const refs: Cell[] = [];
    let ref = start + 2 + ((data[start + 1]! + 1) >> 1);
    for (let left = data[start]! & 7; left > 0; left--, ref += size) {
      const below = data.readUIntBE(ref, size);
      if (below <= n || below >= count) return null;
      refs.push(cells[below]!);
    }
    cells[n] = new Cell({ bits, refs, exotic: (data[start]! & EXOTIC) !== 0 });
  }
  return roots.every(root => root < count) ? roots.map(root => cells[root]!) : null;
}

/** @param descriptor as `bitsDescriptor` has it: a last byte that is not full ends with a one and zeros */
function bitsAt(data: Buffer, at: number, descriptor: number): BitString | null {
  const bytes = (descriptor + 1) >> 1;
  if ((descriptor & 1) === 0) return bytes === 0 ? BitString.EMPTY : new BitString(data, at * 8, bytes * 8);
  const last = data[at + bytes - 1]!;
  if (last === 0) return null;
  const length = bytes * 8 - (32 - Math.clz32(last & -last));
  return length === 0 ? BitString.EMPTY : new BitString(data, at * 8, length);
}

/** Bags without an index; others are left to the library. */
export function fastWriteBag(library: WriteBag): WriteBag {
  return (root, options) => (options.idx ? library(root, options) : written(root, options.crc32));
}

function written(root: Cell, hasChecksum: boolean): Buffer {
  const sorted = topologicalSort(root);
  const size = bytesFor(sorted.length);
  const total = sorted.reduce(
    (sum, { cell, refs }) => sum + 2 + ((cell.bits.length + 7) >> 3) + refs.length * size,
    0,
  );
  const offsetSize = bytesFor(total);
  const bag = Buffer.alloc(6 + 4 * size + offsetSize + total + (hasChecksum ? CHECKSUM_BYTES : 0));
  bag.writeUInt32BE(MAGIC);
  bag[4] = (hasChecksum ? HAS_CHECKSUM : 0) | size;
  bag[5] = offsetSize;
  let at = bag.writeUIntBE(sorted.length, 6, size);
  at = bag.writeUIntBE(1, at, size);
  at = bag.writeUIntBE(0, at, size);
  at = bag.writeUIntBE(total, at, offsetSize);
  at = bag.writeUIntBE(0, at, size);
  for (const { cell, refs } of sorted) {
    const { bits, mask, type } = cell;
    bag[at++] = refs.length + (type === CellType.Ordinary ? 0 : EXOTIC) + mask.value * 32;
    bag[at++] = bitsDescriptor(bits);
    at = writePadded(bits, bag, at);
    for (const ref of refs) at = bag.writeUIntBE(ref, at, size);
  }
  if (hasChecksum) crc32c(bag.subarray(0, at)).copy(bag, at);
  return bag;
}

const bytesFor = (value: number): number => Math.max(1, Math.ceil((32 - Math.clz32(value)) / 8));
