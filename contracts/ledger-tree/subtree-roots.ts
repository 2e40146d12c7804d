import { z } from 'zod';
import { base64, decodeBase64 } from '../encoding/base64';
import { DIGEST_BYTES } from '../encoding/sha256';
import { MerkleTree, perfectSubtrees, type ReadSubtreeRoot } from './merkle-tree';

const MAX_ROOTS = 256;

/**
 * The Merkle tree of a proof, cut into perfect subtrees of one size, so that a verifier can locate a difference. They
 * yield the signed root and need no signature of their own. `roots` and `remainder` (the smaller subtrees after the last
 * root, largest first) are concatenated digests in base64.
 */
export const subtreeRoots = z.strictObject({
  /** Each root is over 2^level leaves. */
  level: z.int().min(0),
  roots: base64,
  remainder: base64,
});
export type SubtreeRoots = z.output<typeof subtreeRoots>;

/** The lowest level that needs no more than `MAX_ROOTS` roots. */
function levelFor(size: number): number {
  return Math.max(0, Math.ceil(Math.log2(size / MAX_ROOTS)));
}

/** The subtrees of a tree of the size, read with `readRoot`. */
export async function readSubtreeRoots(size: number, readRoot: ReadSubtreeRoot): Promise<SubtreeRoots> {
  const level = levelFor(size);
  const count = Math.floor(size / 2 ** level);
  const first = 2 ** level * count;
  const remainder = perfectSubtrees(size - first).map(part =>
    readRoot(part.level, first / 2 ** part.level + part.index),
  );
  const roots = Array.from({ length: count }, (_, index) => readRoot(level, index));
  return { level, roots: await concatenated(roots), remainder: await concatenated(remainder) };
}

const concatenated = async (digests: readonly Promise<Buffer>[]): Promise<string> =>
  Buffer.concat(await Promise.all(digests)).toString('base64');

/** The roots of the subtrees. Null when they do not yield the root of the tree of that size. */
export function verifiedSubtreeRoots(
  { level, roots, remainder }: SubtreeRoots,
  size: number,
  root: string,
): Buffer[] | null {
  const found = splitDigests(roots);
  const parts = splitDigests(remainder);
  if (!found || !parts || level !== levelFor(size) || size < 2 ** level * found.length) return null;
  const expected = perfectSubtrees(size - 2 ** level * found.length);
  if (parts.length !== expected.length) return null;
  const tree = new MerkleTree();
  for (const each of found) tree.appendSubtree(level, each);
  for (const [i, part] of parts.entries()) {
    if (expected[i]!.level >= level) return null;
    tree.appendSubtree(expected[i]!.level, part);
  }
  return tree.root().toString('hex') === root ? found : null;
}

/** Concatenated digests in canonical base64, one by one. Null when the text is anything else. */
export function splitDigests(base64: string): Buffer[] | null {
  const bytes = decodeBase64(base64);
  if (!bytes || bytes.length % DIGEST_BYTES !== 0) return null;
  return Array.from({ length: bytes.length / DIGEST_BYTES }, (_, n) =>
    bytes.subarray(n * DIGEST_BYTES, (n + 1) * DIGEST_BYTES),
  );
}
