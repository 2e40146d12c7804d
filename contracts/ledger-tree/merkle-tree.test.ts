import fc from 'fast-check';
import {
  auditPathOf,
  perfectSubtrees,
  EMPTY_ROOT,
  rootOfSubtrees,
  MerkleTree,
  leafHash,
  nodeHash,
  rangeRoot,
  rootFromAuditPath,
} from './merkle-tree';
import { sha256 } from '../encoding/sha256';
import { runs } from '../../test/random';

/** RFC 6962, section 2.1, as written. */
function naiveRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256('');
  if (leaves.length === 1) return sha256(Buffer.concat([Buffer.of(0), leaves[0]!]));
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(
    Buffer.concat([Buffer.of(1), naiveRoot(leaves.slice(0, split)), naiveRoot(leaves.slice(split))]),
  );
}

/** RFC 6962, section 2.1.1, as written. */
function naivePath(index: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return [];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return index < split
    ? [...naivePath(index, leaves.slice(0, split)), naiveRoot(leaves.slice(split))]
    : [...naivePath(index - split, leaves.slice(split)), naiveRoot(leaves.slice(0, split))];
}

const subtreesOf = (leaves: readonly Buffer[]) => async (level: number, index: number) =>
  naiveRoot(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));

const leaf = (n: number): Buffer => sha256(`leaf ${n}`);
const leavesOf = (size: number): Buffer[] => Array.from({ length: size }, (_, n) => leaf(n));

/** The test data of the Certificate Transparency log: google/certificate-transparency, merkle_tree_test.cc. */
const CT_LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const CT_ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

describe('the Merkle tree', () => {
  it('has the roots of the known vectors', () => {
    const leaves = CT_LEAVES.map(hex => Buffer.from(hex, 'hex'));
    expect(EMPTY_ROOT.toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    CT_ROOTS.forEach((root, n) => expect(naiveRoot(leaves.slice(0, n + 1)).toString('hex')).toBe(root));
    const [first, second] = leaves.map(leafHash);
    expect(nodeHash(first!, second!).toString('hex')).toBe(CT_ROOTS[1]);
  });

  it('has the root of the appended leaves after each of them', () => {
    const leaves = leavesOf(300);
    const tree = new MerkleTree();
    expect(tree.root()).toEqual(EMPTY_ROOT);
    leaves.forEach((each, n) => {
      tree.append(each);
      expect(tree.root()).toEqual(naiveRoot(leaves.slice(0, n + 1)));
    });
  });

  it('appends whole subtrees at multiples of their size only', () =>
    fc.assert(
      fc.property(fc.nat(6), fc.nat(6), fc.nat(20), (level, times, more) => {
        const leaves = leavesOf(times * 2 ** level + more);
        const tree = new MerkleTree();
        for (let n = 0; n < times; n++)
          tree.appendSubtree(level, naiveRoot(leaves.slice(n * 2 ** level, (n + 1) * 2 ** level)));
        leaves.slice(times * 2 ** level).forEach(each => tree.append(each));
        expect(tree.root()).toEqual(naiveRoot(leaves));
        expect(rootOfSubtrees(tree.subtreeRoots())).toEqual(tree.root());
        expect(tree.subtreeRoots()).toHaveLength(perfectSubtrees(leaves.length).length);
        if (leaves.length % 2 === 1) expect(() => tree.appendSubtree(1, leaf(0))).toThrow(RangeError);
      }),
      runs(25),
    ));

  it('gives every leaf the audit path of RFC 6962, which yields the root', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 130 }), fc.nat(), async (size, any) => {
        const leaves = leavesOf(size);
        const index = any % size;
        const path = await auditPathOf(index, size, subtreesOf(leaves));
        expect(path).toEqual(naivePath(index, leaves));
        expect(rootFromAuditPath(index, size, leaves[index]!, path)).toEqual(naiveRoot(leaves));
      }),
      runs(25),
    ));

  it('yields a different root or null for another leaf, index, size or path', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 70 }), fc.nat(), fc.nat(), async (size, any, flip) => {
        const leaves = leavesOf(size);
        const index = any % size;
        const root = naiveRoot(leaves);
        const path = await auditPathOf(index, size, subtreesOf(leaves));
        const broken = path.map(each => Buffer.from(each));
        broken[flip % path.length]![flip % 32]! ^= 1;
        expect(rootFromAuditPath(index, size, leaf(-1), path)).not.toEqual(root);
        expect(rootFromAuditPath((index + 1) % size, size, leaves[index]!, path)).not.toEqual(root);
        expect(rootFromAuditPath(index, size, leaves[index]!, broken)).not.toEqual(root);
        expect(rootFromAuditPath(index, size, leaves[index]!, path.slice(1))).not.toEqual(root);
        expect(rootFromAuditPath(index, size, leaves[index]!, [...path, root])).not.toEqual(root);
        for (const wrong of [-1, size, 0.5, NaN])
          expect(rootFromAuditPath(wrong, size, leaves[index]!, path)).toBeNull();
      }),
      runs(25),
    ));

  it('computes the root of any size from the roots of its perfect subtrees', async () => {
    const leaves = leavesOf(200);
    for (let size = 0; size <= 200; size++)
      expect(await rangeRoot(0, size, subtreesOf(leaves))).toEqual(naiveRoot(leaves.slice(0, size)));
  });

  it('has no audit path for a leaf that is not in it', async () => {
    await expect(auditPathOf(5, 5, subtreesOf(leavesOf(5)))).rejects.toThrow(RangeError);
  });
});
