interface Bag {
  readonly cells: number;
  readonly root: number;
  readonly refSize: number;
  /** The serialised cells, with references of `refSize` bytes. */
  readonly data: Buffer;
}

const MAGIC = 0xb5ee9c72;
const REFS = 7;
const WITH_HASHES = 16;

function open(boc: Buffer): Bag {
  if (boc.readUInt32BE(0) !== MAGIC) throw new Error('not a bag of cells');
  const refSize = boc[4]! & 7;
  const offsetSize = boc[5]!;
  const field = (index: number): number => boc.readUIntBE(6 + index * refSize, refSize);
  const cells = field(0);
  const dataSize = boc.readUIntBE(6 + 3 * refSize, offsetSize);
  const indexed = (boc[4]! & 0x80) !== 0;
  const roots = 6 + 3 * refSize + offsetSize;
  const data = roots + field(1) * refSize + (indexed ? cells * offsetSize : 0);
  return {
    cells,
    root: boc.readUIntBE(roots, refSize),
    refSize,
    data: boc.subarray(data, data + dataSize),
  };
}

const bytesFor = (value: number): number => Math.max(1, Math.ceil(value.toString(2).length / 8));

/** Length of a cell's descriptors and data; its references follow. */
function bodyLength(data: Buffer, at: number): number {
  if ((data[at]! & WITH_HASHES) !== 0) throw new Error('cells with stored hashes are not joined');
  return 2 + Math.ceil(data[at + 1]! / 2);
}

/**
 * Joins bags of one root each into one bag with all their roots, in the given order: `serialized_boc` of
 * `crypto/tl/boc.tlb` without index and checksum. Works on the serialised form, since `@ton/core` reads bags with many
 * roots but writes only one, and hashing every cell again would dominate the cost of an answer.
 */
export function joinBags(bocs: readonly Buffer[]): Buffer {
  const bags = bocs.map(open);
  const total = bags.reduce((sum, bag) => sum + bag.cells, 0);
  const refSize = bytesFor(total);
  const parts: Buffer[] = [];
  const roots: number[] = [];
  let base = 0;
  for (const bag of bags) {
    roots.push(base + bag.root);
    for (let at = 0; at < bag.data.length;) {
      const body = bodyLength(bag.data, at);
      const refs = bag.data[at]! & REFS;
      parts.push(bag.data.subarray(at, at + body));
      const moved = Buffer.alloc(refs * refSize);
      for (let i = 0; i < refs; i++) {
        moved.writeUIntBE(
          base + bag.data.readUIntBE(at + body + i * bag.refSize, bag.refSize),
          i * refSize,
          refSize,
        );
      }
      parts.push(moved);
      at += body + refs * bag.refSize;
    }
    base += bag.cells;
  }
  const data = Buffer.concat(parts);
  const offsetSize = bytesFor(data.length);
  const head = Buffer.alloc(6 + 3 * refSize + offsetSize + roots.length * refSize);
  head.writeUInt32BE(MAGIC, 0);
  head.writeUInt8(refSize, 4);
  head.writeUInt8(offsetSize, 5);
  head.writeUIntBE(total, 6, refSize);
  head.writeUIntBE(roots.length, 6 + refSize, refSize);
  head.writeUIntBE(data.length, 6 + 3 * refSize, offsetSize);
  roots.forEach((root, i) => head.writeUIntBE(root, 6 + 3 * refSize + offsetSize + i * refSize, refSize));
  return Buffer.concat([head, data]);
}
