import fc from 'fast-check';
import { type ShardBlock, WHOLE, advance, holds, merge, shardAsInt64, split } from './shards';
import { runs } from '../../../../test/random';

const whole: ShardBlock[] = [{ shard: WHOLE, seqno: 7 }];
const anyAddress = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map(hash => `0:${Buffer.from(hash).toString('hex')}`);

it('writes ids as signed 64-bit integers', () => {
  expect(shardAsInt64(WHOLE)).toBe('-9223372036854775808');
  expect(split(whole).map(({ shard }) => shardAsInt64(shard))).toEqual([
    '4611686018427387904',
    '-4611686018427387904',
  ]);
});

it('has every address in exactly one shard, however often they split', () => {
  fc.assert(
    fc.property(anyAddress, fc.integer({ min: 0, max: 5 }), (address, times) => {
      let shards = whole;
      for (let i = 0; i < times; i++) shards = split(shards);
      expect(shards).toHaveLength(2 ** times);
      expect(shards.filter(({ shard }) => holds(shard, address))).toHaveLength(1);
    }),
    runs(100),
  );
});

it('continues seqnos over a split and a merge, each with two new blocks', () => {
  const halves = split(whole);
  expect(halves.map(({ seqno, unlisted }) => [seqno, unlisted])).toEqual([
    [9, 8],
    [9, 8],
  ]);
  expect(advance(halves).map(({ seqno, unlisted }) => [seqno, unlisted])).toEqual([
    [10, undefined],
    [10, undefined],
  ]);
  expect(merge(advance(halves))).toEqual([{ shard: WHOLE, seqno: 12, unlisted: 11 }]);
});

it('merges what it split', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), times => {
      let shards = whole;
      for (let i = 0; i < times; i++) shards = split(shards);
      for (let i = 0; i < times; i++) shards = merge(shards);
      expect(shards.map(({ shard }) => shard)).toEqual([WHOLE]);
    }),
    runs(100),
  );
});

it('cannot merge a single shard', () => {
  expect(() => merge(whole)).toThrow('one shard');
});
