import { advanceShards, shardRange, type ShardTip } from './shards';
import type { ShardBlock } from './source';

const WHOLE = '-9223372036854775808';
const [LOW, HIGH] = ['4611686018427387904', '-4611686018427387904'];
const [LOWEST, LOWER] = ['2305843009213693952', '6917529027641081856'];

const tip = (shard: string, seqno: number, started = true): ShardTip => ({
  workchain: 0,
  shard,
  seqno,
  started,
});
const block = (shard: string, seqno: number): ShardBlock => ({
  workchain: 0,
  shard,
  seqno,
  rootHash: '',
  transactions: [],
});
const sorted = (tips: readonly ShardTip[]): ShardTip[] =>
  [...tips].sort((a, b) => a.shard.localeCompare(b.shard));
const after = (tips: readonly ShardTip[], ...blocks: ShardBlock[]) => {
  const advance = advanceShards(tips, blocks);
  return { ...advance, tips: sorted(advance.tips) };
};

describe('following shards', () => {
  it('accepts the blocks of a shard in any order', () => {
    const { tips, incomplete, jump } = after([tip(WHOLE, 7)], block(WHOLE, 9), block(WHOLE, 8));
    expect({ tips, incomplete, jump }).toEqual({ tips: [tip(WHOLE, 9)], incomplete: [], jump: null });
  });

  it('accepts a shard without a new block, and one listed again', () => {
    const tips = sorted([tip(LOW, 7), tip(HIGH, 8)]);
    expect(after(tips).tips).toEqual(tips);
    expect(after(tips, block(LOW, 7)).tips).toEqual(tips);
  });

  it('reports a jump in a shard that continues', () => {
    expect(after([tip(WHOLE, 7)], block(WHOLE, 9)).jump).toBe(`shard 0:${WHOLE} jumps from 7 to 9`);
  });

  it('continues from the parent after a split, and knows both halves', () => {
    const { tips, incomplete } = after([tip(WHOLE, 7)], block(LOW, 8));
    expect(incomplete).toEqual([]);
    expect(tips).toEqual(sorted([tip(LOW, 8), tip(HIGH, 7, false)]));
    expect(after(tips, block(HIGH, 8)).incomplete).toEqual([]);
  });

  it('reports accounts whose blocks after a split are not listed', () => {
    const { incomplete, jump } = after([tip(WHOLE, 7)], block(LOW, 9), block(HIGH, 8));
    expect(jump).toBeNull();
    expect(incomplete).toEqual([{ workchain: 0, from: 0n, to: (1n << 63n) - 1n }]);
  });

  it('reports a half without listed blocks once it is listed again', () => {
    const { tips } = after([tip(WHOLE, 7)], block(LOW, 8));
    expect(after(tips, block(HIGH, 10)).incomplete).toEqual([shardRange({ workchain: 0, shard: HIGH })]);
  });

  it('follows a shard that split twice', () => {
    const { tips } = after([tip(WHOLE, 7)], block(LOWEST, 9));
    expect(tips).toEqual(sorted([tip(LOWEST, 9), tip(LOWER, 7, false), tip(HIGH, 7, false)]));
  });

  it('continues from the higher of the parents after a merge', () => {
    const tips = [tip(LOW, 7), tip(HIGH, 12)];
    expect(after(tips, block(WHOLE, 13))).toEqual({ tips: [tip(WHOLE, 13)], incomplete: [], jump: null });
    expect(after(tips, block(WHOLE, 14)).incomplete).toEqual([
      { workchain: 0, from: 0n, to: (1n << 64n) - 1n },
    ]);
  });

  it('keeps workchains apart', () => {
    const master = { ...block(WHOLE, 50), workchain: -1 };
    expect(after([tip(WHOLE, 7)], master).tips).toHaveLength(2);
  });
});
