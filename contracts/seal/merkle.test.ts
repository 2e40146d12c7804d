import fc from 'fast-check';
import {
  auditPath,
  edgeOf,
  EMPTY_ROOT,
  foldEdge,
  GrowingTree,
  leafHash,
  nodeHash,
  rangeRoot,
  rootByPath,
} from './merkle';
import { sha256 } from './sha256';

/** RFC 6962, section 2.1, word by word. */
function naiveRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256('');
  if (leaves.length === 1) return sha256(Buffer.concat([Buffer.of(0), leaves[0]!]));
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(
    Buffer.concat([Buffer.of(1), naiveRoot(leaves.slice(0, split)), naiveRoot(leaves.slice(split))]),
  );
}

/** RFC 6962, section 2.1.1, word by word. */
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

  it('grows to the root of the same leaves, one by one', () => {
    const leaves = leavesOf(300);
    const tree = new GrowingTree();
    expect(tree.root()).toEqual(EMPTY_ROOT);
    leaves.forEach((each, n) => {
      tree.add(each);
      expect(tree.root()).toEqual(naiveRoot(leaves.slice(0, n + 1)));
    });
  });

  it('grows by whole subtrees where one may begin, and nowhere else', () =>
    fc.assert(
      fc.property(fc.nat(6), fc.nat(6), fc.nat(20), (level, times, more) => {
        const leaves = leavesOf(times * 2 ** level + more);
        const tree = new GrowingTree();
        for (let n = 0; n < times; n++)
          tree.addSubtree(level, naiveRoot(leaves.slice(n * 2 ** level, (n + 1) * 2 ** level)));
        leaves.slice(times * 2 ** level).forEach(each => tree.add(each));
        expect(tree.root()).toEqual(naiveRoot(leaves));
        expect(foldEdge(tree.edge())).toEqual(tree.root());
        expect(tree.edge()).toHaveLength(edgeOf(leaves.length).length);
        if (leaves.length % 2 === 1) expect(() => tree.addSubtree(1, leaf(0))).toThrow(RangeError);
      }),
    ));

  it('gives every leaf the audit path of the standard, which leads to the root', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 130 }), fc.nat(), async (size, any) => {
        const leaves = leavesOf(size);
        const index = any % size;
        const path = await auditPath(index, size, subtreesOf(leaves));
        expect(path).toEqual(naivePath(index, leaves));
        expect(rootByPath(index, size, leaves[index]!, path)).toEqual(naiveRoot(leaves));
      }),
    ));

  it('leads another leaf, place, size or path to another root, or to none', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 70 }), fc.nat(), fc.nat(), async (size, any, flip) => {
        const leaves = leavesOf(size);
        const index = any % size;
        const root = naiveRoot(leaves);
        const path = await auditPath(index, size, subtreesOf(leaves));
        const broken = path.map(each => Buffer.from(each));
        broken[flip % path.length]![flip % 32]! ^= 1;
        expect(rootByPath(index, size, leaf(-1), path)).not.toEqual(root);
        expect(rootByPath((index + 1) % size, size, leaves[index]!, path)).not.toEqual(root);
        expect(rootByPath(index, size, leaves[index]!, broken)).not.toEqual(root);
        expect(rootByPath(index, size, leaves[index]!, path.slice(1))).not.toEqual(root);
        expect(rootByPath(index, size, leaves[index]!, [...path, root])).not.toEqual(root);
        for (const wrong of [-1, size, 0.5, NaN])
          expect(rootByPath(wrong, size, leaves[index]!, path)).toBeNull();
      }),
    ));

  it('tells the root of any size from the roots of its perfect subtrees', async () => {
    const leaves = leavesOf(200);
    for (let size = 0; size <= 200; size++)
      expect(await rangeRoot(0, size, subtreesOf(leaves))).toEqual(naiveRoot(leaves.slice(0, size)));
  });

  it('has no path for a leaf that is not in it', async () => {
    await expect(auditPath(5, 5, subtreesOf(leavesOf(5)))).rejects.toThrow(RangeError);
  });
});
