import { createForkDetector } from './fork-detector';

/** A chain by seqno, whose blocks a test replaces. */
function fixture() {
  const chain = new Map<number, string>();
  let asked = 0;
  const forks = createForkDetector(async seqno => {
    asked += 1;
    const rootHash = chain.get(seqno);
    if (rootHash === undefined) throw new Error('no such block');
    return rootHash;
  });
  const look = (seqno: number) => forks.look({ seqno, rootHash: chain.get(seqno)! });
  return { chain, forks, look, asked: () => asked };
}

it('asks once for each new block, and finds no fork in a chain that grows', async () => {
  const { chain, forks, look, asked } = fixture();
  for (const seqno of [1, 2, 3]) {
    chain.set(seqno, `${seqno}a`);
    await Promise.all([look(seqno), look(seqno), look(seqno)]);
  }
  expect([forks.count, asked()]).toEqual([0, 2]);
});

it('finds a fork that is longer than the chain it takes the place of, and one that is shorter', async () => {
  const { chain, forks, look } = fixture();
  chain.set(3, '3a');
  await look(3);
  chain.set(3, '3b').set(5, '5b');
  await look(5);
  expect(forks.count).toBe(1);
  chain.delete(5);
  chain.set(4, '4c');
  await look(4);
  expect(forks.count).toBe(2);
  chain.set(4, '4d');
  await look(4);
  expect(forks.count).toBe(3);
});

it('takes a server that is behind for no fork', async () => {
  const { chain, forks, look } = fixture();
  chain.set(2, '2a').set(3, '3a');
  for (const seqno of [3, 2, 3]) await look(seqno);
  expect(forks.count).toBe(0);
});
