/** Hashes of a block, in base64. */
export interface BlockHashes {
  readonly root: string;
  readonly file: string;
  readonly state: string;
}

/** The block that one shard of the basechain adds to a masterchain block. */
export interface ShardBlock {
  /** `prefix bits, 1, zeros` as 16 hex digits; `8000000000000000` is the whole workchain. */
  readonly shard: string;
  readonly seqno: number;
  /**
   * Set after a split or merge, when the shard has two new blocks: the seqno of the first, which has the transactions and
   * which v4 servers do not list, because they list only the tip of a shard that is new to them.
   */
  readonly unlisted?: number;
  /** Of the block `seqno`; missing before it is made, and where an earlier version made it, without cells. */
  readonly hashes?: BlockHashes;
  /** Of the block `unlisted`. */
  readonly unlistedHashes?: BlockHashes;
}

export const WHOLE = '8000000000000000';

const MAX_DEPTH = 60n;

const hex = (shard: bigint): string => shard.toString(16).padStart(16, '0');
const lowestBit = (shard: bigint): bigint => shard & -shard;
const number = (shard: string): bigint => BigInt(`0x${shard}`);

/** Shard ids travel as signed 64-bit integers in decimal. */
export function shardAsInt64(shard: string): string {
  return BigInt.asIntN(64, number(shard)).toString();
}

/** A shard's prefix at the top of 64 bits, and its length. */
export function shardPrefix(shard: string): { readonly bits: number; readonly prefix: bigint } {
  const id = number(shard);
  const bit = lowestBit(id);
  return { bits: 64 - bit.toString(2).length, prefix: id ^ bit };
}

/** Whether 64 bits begin with the prefix of the shard. */
function isWithin(shard: string, bits: bigint): boolean {
  const { bits: length, prefix } = shardPrefix(shard);
  const shift = BigInt(64 - length);
  return bits >> shift === prefix >> shift;
}

/** Whether the second shard is the first, or a part of it. */
export function contains(shard: string, part: string): boolean {
  return shardPrefix(part).bits >= shardPrefix(shard).bits && isWithin(shard, number(part));
}

/** Whether the shard holds the account, by its raw address. */
export function holds(shard: string, address: string): boolean {
  return isWithin(shard, number(address.slice(address.indexOf(':') + 1).slice(0, 16)));
}

/** One more block of every shard. */
export function advance(shards: readonly ShardBlock[]): ShardBlock[] {
  return shards.map(({ shard, seqno }) => ({ shard, seqno: seqno + 1 }));
}

/** Every shard becomes its two halves, whose seqnos continue its own. */
export function split(shards: readonly ShardBlock[]): ShardBlock[] {
  return shards.flatMap(({ shard, seqno }) => {
    const id = number(shard);
    const half = lowestBit(id) >> 1n;
    if (half < 1n << (63n - MAX_DEPTH)) throw new Error('maximum shard depth reached');
    return [id - half, id + half].map(child => ({
      shard: hex(child),
      seqno: seqno + 2,
      unlisted: seqno + 1,
    }));
  });
}

/** Neighbouring halves become their parent, whose seqno follows the larger of theirs. */
export function merge(shards: readonly ShardBlock[]): ShardBlock[] {
  const parents = new Map<string, number>();
  for (const { shard, seqno } of shards) {
    const id = number(shard);
    const bit = lowestBit(id);
    if (shard === WHOLE) throw new Error('there is only one shard');
    const parent = hex((id & ~((bit << 2n) - 1n)) | (bit << 1n));
    parents.set(parent, Math.max(parents.get(parent) ?? 0, seqno));
  }
  return [...parents].map(([shard, seqno]) => ({ shard, seqno: seqno + 2, unlisted: seqno + 1 }));
}
