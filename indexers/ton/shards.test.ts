import { advanceShards, shardRange, type ShardTip } from './shards';
import type { ShardBlock } from './source/port';

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
  it('takes every block of a shard, in whatever order they are listed', () => {
    const { tips, lost, gap } = after([tip(WHOLE, 7)], block(WHOLE, 9), block(WHOLE, 8));
    expect({ tips, lost, gap }).toEqual({ tips: [tip(WHOLE, 9)], lost: [], gap: null });
  });

  it('does not mind a shard without a new block, nor one listed again', () => {
    const tips = sorted([tip(LOW, 7), tip(HIGH, 8)]);
    expect(after(tips).tips).toEqual(tips);
    expect(after(tips, block(LOW, 7)).tips).toEqual(tips);
  });

  it('tells of a gap in a shard that goes on', () => {
    expect(after([tip(WHOLE, 7)], block(WHOLE, 9)).gap).toBe(`shard 0:${WHOLE} jumps from 7 to 9`);
  });

  it('goes on from the parent after a split, and knows both halves', () => {
    const { tips, lost } = after([tip(WHOLE, 7)], block(LOW, 8));
    expect(lost).toEqual([]);
    expect(tips).toEqual(sorted([tip(LOW, 8), tip(HIGH, 7, false)]));
    expect(after(tips, block(HIGH, 8)).lost).toEqual([]);
  });

  it('tells of accounts whose blocks after a split are not listed', () => {
    const { lost, gap } = after([tip(WHOLE, 7)], block(LOW, 9), block(HIGH, 8));
    expect(gap).toBeNull();
    expect(lost).toEqual([{ workchain: 0, from: 0n, to: (1n << 63n) - 1n }]);
  });

  it('tells of a silent half whose first blocks are not listed', () => {
    const { tips } = after([tip(WHOLE, 7)], block(LOW, 8));
    expect(after(tips, block(HIGH, 10)).lost).toEqual([shardRange({ workchain: 0, shard: HIGH })]);
  });

  it('follows a shard that split twice', () => {
    const { tips } = after([tip(WHOLE, 7)], block(LOWEST, 9));
    expect(tips).toEqual(sorted([tip(LOWEST, 9), tip(LOWER, 7, false), tip(HIGH, 7, false)]));
  });

  it('goes on from the higher of the parents after a merge', () => {
    const tips = [tip(LOW, 7), tip(HIGH, 12)];
    expect(after(tips, block(WHOLE, 13))).toEqual({ tips: [tip(WHOLE, 13)], lost: [], gap: null });
    expect(after(tips, block(WHOLE, 14)).lost).toEqual([{ workchain: 0, from: 0n, to: (1n << 64n) - 1n }]);
  });

  it('keeps workchains apart', () => {
    const master = { ...block(WHOLE, 50), workchain: -1 };
    expect(after([tip(WHOLE, 7)], master).tips).toHaveLength(2);
  });
});
