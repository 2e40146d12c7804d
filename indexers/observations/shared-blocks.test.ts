import type { Clients } from '../../contracts/observation/observation';
import type { TonClient } from '../../contracts/ports/ton-client';
import { sharingBlocks } from './shared-blocks';

/** Clients over a node whose last block is another at each call. */
function setUp() {
  let [calls, time, fails] = [0, 0, false];
  const getLastBlock: TonClient['getLastBlock'] = async () => {
    calls += 1;
    if (fails) throw new Error('HTTP 500');
    return { seqno: calls, now: 0 };
  };
  const ton = () => ({ getLastBlock }) as TonClient;
  const clients = sharingBlocks({ ton } as unknown as Clients, () => time);
  return {
    seqno: async (network: 'mainnet' | 'testnet' = 'mainnet') =>
      (await clients.ton(network).getLastBlock()).seqno,
    calls: () => calls,
    pass: (ms: number) => void (time += ms),
    fail: (does: boolean) => void (fails = does),
  };
}

test('reads at once and within a second are of one block, which the node is asked for once', async () => {
  const { seqno, calls, pass } = setUp();
  expect(await Promise.all([seqno(), seqno()])).toEqual([1, 1]);
  pass(999);
  expect(await seqno()).toBe(1);
  expect(calls()).toBe(1);
  pass(1);
  expect(await seqno()).toBe(2);
});

test('each network has its own last block', async () => {
  const { seqno } = setUp();
  expect([await seqno('mainnet'), await seqno('testnet')]).toEqual([1, 2]);
});

test('a node that did not answer is asked again at the next read', async () => {
  const { seqno, fail } = setUp();
  fail(true);
  await expect(seqno()).rejects.toThrow('HTTP 500');
  fail(false);
  expect(await seqno()).toBe(2);
});
