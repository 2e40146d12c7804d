import { DIGEST_BYTES, sha256, sha256Into } from './sha256';

/*
 * The Merkle tree of RFC 6962, section 2.1 (the same in RFC 9162): a leaf is hashed behind a zero byte and a node behind
 * a one, so that neither can be taken for the other; a tree of n leaves is split at the largest power of two below n.
 */

const LEAF = 0;
const NODE = 1;

/** SHA-256(0x00 || data) */
export function leafHash(data: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.of(LEAF), data]));
}

/** SHA-256(0x01 || left || right) */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.of(NODE), left, right]));
}

/** The root of no leaves: the hash of nothing. */
export const EMPTY_ROOT = sha256('');

/** The root over subtrees that lie side by side, the largest first, as they stand at the edge of a tree. */
export function foldEdge(edge: readonly Buffer[]): Buffer {
  return edge.length === 0 ? EMPTY_ROOT : edge.reduceRight((right, left) => nodeHash(left, right));
}

/**
 * A tree that only grows, remembered by its edge: one perfect subtree for every one bit of its size. That is all that
 * adding leaves and telling the root needs, whatever the size.
 */
export class GrowingTree {
  #size = 0;
  /** By level, the perfect subtree that waits there for its right neighbour; its place is free where the bit is not set. */
  readonly #waiting: Buffer[] = [];
  readonly #leaf = Buffer.alloc(1 + DIGEST_BYTES, LEAF);
  readonly #node = Buffer.alloc(1 + 2 * DIGEST_BYTES, NODE);

  get size(): number {
    return this.#size;
  }

  /** @param digest 32 bytes, the data of the leaf */
  add(digest: Buffer): void {
    digest.copy(this.#leaf, 1, 0, DIGEST_BYTES);
    sha256Into(this.#node, 1 + DIGEST_BYTES, this.#leaf);
    this.#carry(0);
  }

  /** Adds 2^level leaves at once, by the root over them. @throws RangeError unless the size is a multiple of as many */
  addSubtree(level: number, root: Buffer): void {
    if (this.#size % 2 ** level !== 0)
      throw new RangeError(`no subtree of level ${level} begins at ${this.#size}`);
    root.copy(this.#node, 1 + DIGEST_BYTES);
    this.#carry(level);
  }

  /** The perfect subtrees, largest first. */
  edge(): Buffer[] {
    const edge: Buffer[] = [];
    for (let level = this.#waiting.length - 1; level >= 0; level--)
      if (isSet(this.#size, level)) edge.push(Buffer.from(this.#waiting[level]!));
    return edge;
  }

  root(): Buffer {
    return foldEdge(this.edge());
  }

  /** The subtree in the right half of the node is complete: with every left neighbour that waited it makes one above. */
  #carry(from: number): void {
    let level = from;
    for (; isSet(this.#size, level); level++) {
      this.#waiting[level]!.copy(this.#node, 1);
      sha256Into(this.#node, 1 + DIGEST_BYTES, this.#node);
    }
    this.#waiting[level] ??= Buffer.alloc(DIGEST_BYTES);
    this.#node.copy(this.#waiting[level]!, 0, 1 + DIGEST_BYTES);
    this.#size += 2 ** from;
  }
}

/** Sizes outgrow the 32 bits that bitwise operators see. */
const isSet = (size: number, level: number): boolean => Math.floor(size / 2 ** level) % 2 === 1;

/** The perfect subtrees that a tree of the size is made of, left to right: level, and index among those of the level. */
export function edgeOf(size: number): { readonly level: number; readonly index: number }[] {
  const edge: { level: number; index: number }[] = [];
  let start = 0;
  for (let level = levelBelow(size); level >= 0; level--) {
    if (!isSet(size, level)) continue;
    edge.push({ level, index: start / 2 ** level });
    start += 2 ** level;
  }
  return edge;
}

const levelBelow = (size: number): number => (size < 1 ? -1 : Math.floor(Math.log2(size)));

/** Tells the root of the perfect subtree of the level at the index. */
export type SubtreeRoot = (level: number, index: number) => Promise<Buffer>;

/**
 * The audit path of a leaf in the tree of the size, from the leaf upwards: RFC 6962, section 2.1.1.
 * @throws RangeError when the leaf is not in the tree
 */
export async function auditPath(index: number, size: number, subtree: SubtreeRoot): Promise<Buffer[]> {
  if (!(index >= 0 && index < size)) throw new RangeError(`leaf ${index} of ${size}`);
  const path: Buffer[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const split = from + splitOf(to - from);
    if (index < split) {
      path.unshift(await rangeRoot(split, to, subtree));
      to = split;
    } else {
      path.unshift(await rangeRoot(from, split, subtree));
      from = split;
    }
  }
  return path;
}

/** The root over the leaves from `from` to before `to`, where that is a node of the tree. */
export async function rangeRoot(from: number, to: number, subtree: SubtreeRoot): Promise<Buffer> {
  const parts = edgeOf(to - from).map(({ level, index }) => subtree(level, from / 2 ** level + index));
  return foldEdge(await Promise.all(parts));
}

/** The largest power of two below the size. */
const splitOf = (size: number): number => 2 ** levelBelow(size - 1);

/**
 * The root that a leaf and its audit path lead to: RFC 9162, section 2.1.3.2. Null when the path is of no leaf there may
 * be at that index of a tree of that size.
 */
export function rootByPath(
  index: number,
  size: number,
  data: Buffer,
  path: readonly Buffer[],
): Buffer | null {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) return null;
  let [node, last] = [index, size - 1];
  let root = leafHash(data);
  for (const beside of path) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      root = nodeHash(beside, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else root = nodeHash(root, beside);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? root : null;
}

const half = (value: number): number => Math.floor(value / 2);
