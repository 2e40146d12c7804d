import type { ShardBlock } from './source';

/** The newest block seen of a shard. `started` is false for a shard known only from the split that created it. */
export interface ShardTip {
  readonly workchain: number;
  /** Signed 64-bit decimal string: the prefix of its accounts, then a 1, then zeros. */
  readonly shard: string;
  readonly seqno: number;
  readonly started: boolean;
}

/** Accounts of a workchain whose first 64 bits lie between the bounds, inclusive. */
export interface ShardRange {
  readonly workchain: number;
  readonly from: bigint;
  readonly to: bigint;
}

interface Advance {
  readonly tips: readonly ShardTip[];
  /** Shards new since a split or merge, of which the source did not list every block. */
  readonly incomplete: readonly ShardRange[];
  /** Set when a shard that neither split nor merged jumped: the source should have listed its blocks. */
  readonly jump: string | null;
}

const id = (shard: string): bigint => BigInt.asUintN(64, BigInt(shard));
const text = (value: bigint): string => BigInt.asIntN(64, value).toString();
const marker = (value: bigint): bigint => value & -value;

export function shardRange({ workchain, shard }: { workchain: number; shard: string }): ShardRange {
  const value = id(shard);
  return { workchain, from: value - marker(value), to: value + marker(value) - 1n };
}

/** @param account raw */
export function isInShard(account: string, { workchain, from, to }: ShardRange): boolean {
  const [chain, hash] = account.split(':') as [string, string];
  const prefix = BigInt(`0x${hash.slice(0, 16)}`);
  return Number(chain) === workchain && from <= prefix && prefix <= to;
}

const covers = (outer: ShardRange, inner: ShardRange): boolean =>
  outer.workchain === inner.workchain && outer.from <= inner.from && inner.to <= outer.to;

/** Splits a tip until `shard` is one of the parts. */
function splitDown(tip: ShardTip, shard: ShardRange): ShardTip[] {
  const range = shardRange(tip);
  if (range.from === shard.from && range.to === shard.to) return [tip];
  const value = id(tip.shard);
  const half = marker(value) >> 1n;
  return [value - half, value + half]
    .map(child => ({ ...tip, shard: text(child), started: false }))
    .flatMap(child => (covers(shardRange(child), shard) ? splitDown(child, shard) : [child]));
}

function advanceBy({ tips, incomplete, jump }: Advance, block: ShardBlock): Advance {
  const { workchain, shard, seqno } = block;
  const range = shardRange(block);
  const whole = tips.flatMap(tip => (covers(shardRange(tip), range) ? splitDown(tip, range) : [tip]));
  const replaced = whole.filter(tip => covers(range, shardRange(tip)));
  const others = whole.filter(tip => !replaced.includes(tip));
  const before = Math.max(...replaced.map(tip => tip.seqno));
  if (replaced.length > 0 && seqno <= before) return { tips, incomplete, jump };
  const jumped = replaced.length > 0 && seqno > before + 1;
  const same = replaced.length === 1 && replaced[0]!.shard === shard && replaced[0]!.started;
  return {
    tips: [...others, { workchain, shard, seqno, started: true }],
    incomplete: jumped && !same ? [...incomplete, range] : incomplete,
    jump: jumped && same ? `shard ${workchain}:${shard} jumps from ${before} to ${seqno}` : jump,
  };
}

/**
 * Follows the shards by the blocks that a masterchain block lists: each continues the previous one, a split starts from
 * its parent's seqno and a merge from the higher of its parents'. v4 servers list only the newest block of a shard that is
 * new in a masterchain block: the shard is then reported as incomplete, as a range of accounts.
 */
export function advanceShards(tips: readonly ShardTip[], blocks: readonly ShardBlock[]): Advance {
  return [...blocks]
    .sort((a, b) => a.seqno - b.seqno)
    .reduce(advanceBy, { tips, incomplete: [], jump: null });
}
