import { Buffer } from 'node:buffer';

const MAGIC = 0xb5ee9c72;
const HAS_INDEX = 0x80;
const SIZE = 0x07;
const REFS = 0x07;
const WITH_HASHES = 0x10;
/** Offset of the counts, after magic, flags and the width of offsets. */
const COUNTS = 6;

/** `serialized_boc#b5ee9c72` of boc.tlb, split into its parts. */
interface Parts {
  /** Bytes of a cell index. */
  readonly size: number;
  readonly roots: readonly number[];
  /** From where a cell's two descriptor bytes are, to its first reference and its end. */
  readonly cells: readonly { readonly from: number; readonly refs: number; readonly to: number }[];
}

/** Null for a bag whose cells contain their hashes, which servers do not send. */
function parse(boc: Buffer): Parts | null {
  if (boc.readUInt32BE(0) !== MAGIC) throw new Error('not a bag of cells');
  const flags = boc[4]!;
  const size = flags & SIZE;
  const offsetBytes = boc[5]!;
  const [count, rootCount] = [boc.readUIntBE(COUNTS, size), boc.readUIntBE(COUNTS + size, size)];
  const rootsAt = COUNTS + 3 * size + offsetBytes;
  const roots = Array.from({ length: rootCount }, (_, n) => boc.readUIntBE(rootsAt + n * size, size));
  let at = rootsAt + rootCount * size + (flags & HAS_INDEX ? count * offsetBytes : 0);
  let hashed = false;
  const cells = Array.from({ length: count }, () => {
    const from = at;
    const [first, second] = [boc[from]!, boc[from + 1]!];
    hashed ||= (first & WITH_HASHES) !== 0;
    const refs = from + 2 + Math.ceil(second / 2);
    at = refs + (first & REFS) * size;
    return { from, refs, to: at };
  });
  if (hashed) return null;
  if (!(at <= boc.length)) throw new Error('the bag of cells is truncated');
  return { size, roots, cells };
}

const numberOf = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/**
 * The same bag with its first `count` roots only. Parsing hashes every cell, and a page of an account's history has many
 * more transactions than a block has of the account.
 */
export function firstRoots(boc: Buffer, count: number): Buffer {
  const parts = parse(boc);
  if (!parts || parts.roots.length <= count) return boc;
  const { size, roots, cells } = parts;
  const kept = roots.slice(0, count);
  const refsOf = (cell: number): number[] => {
    const { refs, to } = cells[cell]!;
    return Array.from({ length: (to - refs) / size }, (_, n) => boc.readUIntBE(refs + n * size, size));
  };
  const wanted = new Set<number>();
  for (const open = [...kept]; open.length > 0;) {
    const cell = open.pop()!;
    if (wanted.has(cell)) continue;
    wanted.add(cell);
    open.push(...refsOf(cell));
  }
  // References must point forward; leaving cells out preserves that.
  const order = [...wanted].sort((a, b) => a - b);
  const place = new Map(order.map((cell, index) => [cell, index]));
  const at = (cell: number): Buffer => numberOf(place.get(cell)!, size);
  const data = order.flatMap(cell => [
    boc.subarray(cells[cell]!.from, cells[cell]!.refs),
    ...refsOf(cell).map(at),
  ]);
  const length = data.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([
    numberOf(MAGIC, 4),
    Buffer.from([size, 4]),
    ...[order.length, kept.length, 0].map(value => numberOf(value, size)),
    numberOf(length, 4),
    ...kept.map(at),
    ...data,
  ]);
}
