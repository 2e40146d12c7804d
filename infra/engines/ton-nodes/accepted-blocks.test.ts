import { createAcceptedBlocks, ForkedNode, LaggingNode, type BlockSource } from './accepted-blocks';

/** A double of a node: the root hashes of its blocks, from the first on; null while it is away. */
interface NodeDouble extends BlockSource {
  chain: string | null;
}

const node = (url: string, chain: string): NodeDouble => ({
  url,
  chain,
  async rootHash(seqno) {
    if (this.chain === null) throw new Error('away');
    return this.chain[seqno - 1] ?? null;
  },
});

function setUp(...chains: string[]) {
  const nodes = chains.map((chain, n) => node(`node ${n}`, chain));
  const replaced: true[] = [];
  const accepted = createAcceptedBlocks(nodes, () => void replaced.push(true));
  /** Admits a block of a node, by default its newest. */
  const admit = (n: number, seqno = nodes[n]!.chain!.length) =>
    accepted.admit(nodes[n]!, { seqno, rootHash: nodes[n]!.chain![seqno - 1]! });
  return { nodes, accepted, replaced, admit };
}

it('accepts nodes on one chain, wherever each of them is', async () => {
  const { admit, replaced } = setUp('abc', 'abcdef', 'ab');
  await admit(0);
  await admit(1);
  await admit(0, 1);
  await admit(1, 4);
  expect(replaced).toEqual([]);
});

it('refuses a node that contradicts the first, at the block that both have or at any later one', async () => {
  const { admit } = setUp('abc', 'abX', 'abYZW');
  await admit(0);
  await expect(admit(1)).rejects.toThrow(ForkedNode);
  await expect(admit(2)).rejects.toThrow(ForkedNode);
  await admit(0);
});

it('does not use a node that has none of the accepted blocks yet', async () => {
  const { admit } = setUp('abcdef', 'ab');
  await admit(0);
  await expect(admit(1)).rejects.toThrow(LaggingNode);
  await admit(0, 2);
  await admit(1);
});

it('compares a node again once it has failed', async () => {
  const { nodes, accepted, admit } = setUp('abcd', 'abcd');
  await admit(0);
  await admit(1);
  nodes[1]!.chain = 'XYZUVW';
  accepted.forget(nodes[1]!);
  await expect(admit(1, 6)).rejects.toThrow(ForkedNode);
});

it('follows more than half of the nodes, and no fewer', async () => {
  const { nodes, admit, replaced } = setUp('abX', 'abc', 'abc');
  await admit(0);
  nodes[2]!.chain = null;
  await expect(admit(1)).rejects.toThrow(ForkedNode);
  expect(replaced).toEqual([]);
  nodes[2]!.chain = 'abc';
  await admit(1);
  expect(replaced).toEqual([true]);
  await expect(admit(0)).rejects.toThrow(ForkedNode);
  await admit(2);
});

it('leaves a node that has moved to another chain, although its next block was the first that was read', async () => {
  const { nodes, admit, replaced } = setUp('abc', 'abc');
  await admit(0);
  await admit(1);
  nodes[0]!.chain = 'XYZU';
  await admit(0);
  nodes[1]!.chain = 'abcd';
  await admit(1);
  expect(replaced).toEqual([true]);
  await expect(admit(0)).rejects.toThrow(ForkedNode);
});

it('does not decide between two nodes that were on one chain until now', async () => {
  const { nodes, admit, replaced } = setUp('abc', 'abc');
  await admit(0);
  await admit(1);
  nodes[0]!.chain = 'abcX';
  await admit(0);
  nodes[1]!.chain = 'abcd';
  await expect(admit(1)).rejects.toThrow(ForkedNode);
  nodes[0]!.chain = null;
  await expect(admit(1)).rejects.toThrow(ForkedNode);
  expect(replaced).toEqual([]);
});

it('follows a node that is alone wherever it goes', async () => {
  const { nodes, admit, replaced } = setUp('abc');
  await admit(0);
  nodes[0]!.chain = 'abXY';
  await admit(0, 3);
  await admit(0);
  expect(replaced).toEqual([true]);
});

it('asks the nodes once about a block, however many answers contradict it', async () => {
  const { nodes, admit } = setUp('abc', 'abX');
  await admit(0);
  let asked = 0;
  const { rootHash } = nodes[0]!;
  nodes[0]!.rootHash = function (seqno) {
    asked++;
    return rootHash.call(this, seqno);
  };
  await Promise.all([1, 2, 3].map(() => expect(admit(1)).rejects.toThrow(ForkedNode)));
  expect(asked).toBe(1);
});
