import type { Cell } from '@ton/core';
import { MAX_PREVIOUS, proveInMasterchain } from '../../../../../contracts/chain/ton-masterchain-proof';
import { hashesWithoutCells } from '../block';
import { WHOLE } from '../shards';
import { type BlockContent, type BlockRef, makeBlock } from './block-cell';
import { CURRENCIES } from './currencies';
import { masterchainExtra } from './shard-hashes';

const zero: BlockRef = { seqno: 0, endLt: 0, ...hashesWithoutCells(Buffer.alloc(32, 7)) };

/** @param seed two blocks of one seqno differ in it */
const contentOf = (seqno: number, previous: readonly BlockRef[], seed = 0): BlockContent => ({
  globalId: -3,
  workchain: 0,
  shard: WHOLE,
  seqno,
  utime: 1_000,
  startLt: 1,
  endLt: 2,
  seed: Buffer.alloc(32, seed),
  masterchain: zero,
  previous,
  isAfterSplit: false,
  transactions: [],
});

/** Each of two blocks of a seqno is after both before them: there are a hundred thousand ways back. */
it('tries each block of a forged way back once at each distance', () => {
  const blocks = new Map<string, Cell>();
  let previous = [zero, { ...zero, rootHash: Buffer.alloc(32, 8) }];
  for (let seqno = 1; seqno <= MAX_PREVIOUS + 1; seqno++)
    previous = [0, 1].map(seed => {
      const { cell, ref } = makeBlock(contentOf(seqno, previous, seed));
      blocks.set(ref.rootHash.toString('hex'), cell);
      return ref;
    });
  const tip = { shard: WHOLE, ref: previous[0]!, startLt: 1, fees: CURRENCIES.zero };
  const { cell: masterchain } = makeBlock(
    { ...contentOf(1, [zero]), workchain: -1 },
    masterchainExtra([tip], { seqno: 1, utime: 1_000 }),
  );
  let read = 0;
  const proof = proveInMasterchain(
    masterchain,
    hash => {
      if ((read += 1) > 1_000) throw new Error('read again and again');
      return blocks.get(hash.toString('hex')) ?? null;
    },
    { account: `0:${'1a'.repeat(32)}`, rootHash: Buffer.alloc(32, 9) },
  );
  expect(proof).toBeNull();
  expect(read).toBe(2 * MAX_PREVIOUS - 1);
});
