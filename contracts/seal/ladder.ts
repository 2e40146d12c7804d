import { z } from 'zod';
import { edgeOf, GrowingTree, type SubtreeRoot } from './merkle';
import { DIGEST_BYTES } from './sha256';

/** Rungs that a ladder has at most. */
const MOST = 256;

/**
 * The tree of a proof, cut into perfect subtrees of one size: with them, who finds that a history differs also finds
 * where. They give the signed root and so need no signature of their own. `rungs` and `rest` (the subtrees behind the
 * last rung, largest first) are digests one after the other, in base64.
 */
export const ladder = z.object({
  /** Each rung stands for 2^level leaves. */
  level: z.int().min(0).max(50),
  rungs: z.base64(),
  rest: z.base64(),
});
export type Ladder = z.output<typeof ladder>;

export async function ladderOf(size: number, subtree: SubtreeRoot): Promise<Ladder> {
  const level = Math.max(0, Math.ceil(Math.log2(size / MOST)));
  const count = Math.floor(size / 2 ** level);
  const first = 2 ** level * count;
  const rest = edgeOf(size - first).map(part => subtree(part.level, first / 2 ** part.level + part.index));
  const rungs = Array.from({ length: count }, (_, index) => subtree(level, index));
  return { level, rungs: await joined(rungs), rest: await joined(rest) };
}

const joined = async (digests: readonly Promise<Buffer>[]): Promise<string> =>
  Buffer.concat(await Promise.all(digests)).toString('base64');

/** The roots of the rungs. Null when they do not give the root of the tree of that size. */
export function rungsOf({ level, rungs, rest }: Ladder, size: number, root: string): Buffer[] | null {
  const tree = new GrowingTree();
  const found = digestsIn(rungs);
  const behind = edgeOf(size - 2 ** level * found.length);
  const parts = digestsIn(rest);
  if (size < 2 ** level * found.length || parts.length !== behind.length) return null;
  for (const rung of found) tree.addSubtree(level, rung);
  for (const [i, part] of parts.entries()) {
    if (behind[i]!.level >= level) return null;
    tree.addSubtree(behind[i]!.level, part);
  }
  return tree.root().toString('hex') === root ? found : null;
}

/** Digests written one after the other. */
export function digestsIn(base64: string): Buffer[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: Math.floor(bytes.length / DIGEST_BYTES) }, (_, n) =>
    bytes.subarray(n * DIGEST_BYTES, (n + 1) * DIGEST_BYTES),
  );
}
