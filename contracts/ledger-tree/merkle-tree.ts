import { DIGEST_BYTES, sha256, sha256Into } from '../encoding/sha256';

/*
 * The Merkle tree of RFC 6962, section 2.1 (the same in RFC 9162): a leaf is hashed with a zero byte before it and a node
 * with a one, so that neither can be mistaken for the other; a tree of n leaves is split at the largest power of two below n.
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

/** The root of a tree without leaves: the hash of the empty string. */
export const EMPTY_ROOT = sha256('');

/** The root over adjacent perfect subtrees, the largest first. */
export function rootOfSubtrees(roots: readonly Buffer[]): Buffer {
  return roots.length === 0 ? EMPTY_ROOT : roots.reduceRight((right, left) => nodeHash(left, right));
}

/**
 * An append-only tree, stored as a compact range: the roots of its perfect subtrees, one for each set bit of its size.
 * Appending leaves and computing the root need no more than that.
 */
export class MerkleTree {
  #size = 0;
  /** By level, the perfect subtree that has no right sibling yet; unused where the bit of the size is not set. */
  readonly #pending: Buffer[] = [];
  readonly #leaf = Buffer.alloc(1 + DIGEST_BYTES, LEAF);
  readonly #node = Buffer.alloc(1 + 2 * DIGEST_BYTES, NODE);

  get size(): number {
    return this.#size;
  }

  /** @param digest 32 bytes, the data of the leaf */
  append(digest: Buffer): void {
    digest.copy(this.#leaf, 1, 0, DIGEST_BYTES);
    sha256Into(this.#node, 1 + DIGEST_BYTES, this.#leaf);
    this.#carry(0);
  }

  /** Appends 2^level leaves at once, given their root. @throws RangeError unless the size is a multiple of 2^level */
  appendSubtree(level: number, root: Buffer): void {
    if (this.#size % 2 ** level !== 0)
      throw new RangeError(`no subtree of level ${level} begins at ${this.#size}`);
    root.copy(this.#node, 1 + DIGEST_BYTES);
    this.#carry(level);
  }

  /** The perfect subtrees, largest first. */
  subtreeRoots(): Buffer[] {
    const roots: Buffer[] = [];
    for (let level = this.#pending.length - 1; level >= 0; level--)
      if (isSet(this.#size, level)) roots.push(Buffer.from(this.#pending[level]!));
    return roots;
  }

  root(): Buffer {
    return rootOfSubtrees(this.subtreeRoots());
  }

  /** The right half of the node holds a complete subtree: joins it with each pending left sibling, level by level. */
  #carry(from: number): void {
    let level = from;
    for (; isSet(this.#size, level); level++) {
      this.#pending[level]!.copy(this.#node, 1);
      sha256Into(this.#node, 1 + DIGEST_BYTES, this.#node);
    }
    this.#pending[level] ??= Buffer.alloc(DIGEST_BYTES);
    this.#node.copy(this.#pending[level]!, 0, 1 + DIGEST_BYTES);
    this.#size += 2 ** from;
  }
}

/** Bitwise operators see only 32 bits of a size. */
const isSet = (size: number, level: number): boolean => Math.floor(size / 2 ** level) % 2 === 1;

/** The perfect subtrees of a tree of the size, left to right: their level, and their index within the level. */
export function perfectSubtrees(size: number): { readonly level: number; readonly index: number }[] {
  const subtrees: { level: number; index: number }[] = [];
  let start = 0;
  for (let level = levelBelow(size); level >= 0; level--) {
    if (!isSet(size, level)) continue;
    subtrees.push({ level, index: start / 2 ** level });
    start += 2 ** level;
  }
  return subtrees;
}

const levelBelow = (size: number): number => (size < 1 ? -1 : Math.floor(Math.log2(size)));

/** Reads the root of the perfect subtree of the level at the index. */
export type ReadSubtreeRoot = (level: number, index: number) => Promise<Buffer>;

/**
 * The audit path of a leaf in the tree of the size, from the leaf upwards: RFC 6962, section 2.1.1.
 * @throws RangeError when the leaf is not in the tree
 */
export async function auditPathOf(index: number, size: number, readRoot: ReadSubtreeRoot): Promise<Buffer[]> {
  if (!(index >= 0 && index < size)) throw new RangeError(`leaf ${index} of ${size}`);
  const path: Buffer[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const split = from + splitOf(to - from);
    if (index < split) {
      path.unshift(await rangeRoot(split, to, readRoot));
      to = split;
    } else {
      path.unshift(await rangeRoot(from, split, readRoot));
      from = split;
    }
  }
  return path;
}

/** The root over the leaves from `from` to before `to`, where that is a node of the tree. */
export async function rangeRoot(from: number, to: number, readRoot: ReadSubtreeRoot): Promise<Buffer> {
  const parts = perfectSubtrees(to - from).map(({ level, index }) =>
    readRoot(level, from / 2 ** level + index),
  );
  return rootOfSubtrees(await Promise.all(parts));
}

/** The largest power of two below the size. */
const splitOf = (size: number): number => 2 ** levelBelow(size - 1);

/**
 * The root computed from a leaf and its audit path: RFC 9162, section 2.1.3.2. Null when no leaf at that index of a tree
 * of that size can have such a path.
 */
export function rootFromAuditPath(
  index: number,
  size: number,
  data: Buffer,
  path: readonly Buffer[],
): Buffer | null {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) return null;
  let [node, last] = [index, size - 1];
  let root = leafHash(data);
  for (const sibling of path) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      root = nodeHash(sibling, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else root = nodeHash(root, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? root : null;
}

const half = (value: number): number => Math.floor(value / 2);
