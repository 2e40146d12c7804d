import type { Cell } from '@ton/core';
import { type Block, blockSeed, shardTip } from '../block';
import { type BlockHashes, type ShardBlock, WHOLE, contains, holds } from '../shards';
import type { BlockTransaction } from './account-blocks';
import { type BlockContent, type BlockRef, makeBlock } from './block-cell';
import { type ShardTip, masterchainExtra } from './shard-hashes';

export interface NextContent {
  readonly globalId: number;
  /** Unix seconds. */
  readonly utime: number;
  readonly startLt: number;
  readonly endLt: number;
  /** Number of rollbacks so far: blocks after a rollback differ, even with the same messages. */
  readonly branch: number;
  /** The shards after it. */
  readonly shards: readonly ShardBlock[];
  /** By logical time. */
  readonly transactions: readonly BlockTransaction[];
}

export interface NextBlock {
  readonly block: Block;
  /** The blocks of the shards, and after them the one of the masterchain that names them. */
  readonly cells: readonly Cell[];
}

const hashesOf = ({ rootHash, fileHash, stateHash }: BlockRef): BlockHashes => ({
  root: rootHash.toString('base64'),
  file: fileHash.toString('base64'),
  state: stateHash.toString('base64'),
});

const isMasterchain = ({ account }: BlockTransaction): boolean => account.startsWith('-1:');

/** The block of the masterchain that follows `previous`, and the blocks of shards that it names. */
export function nextBlock(previous: Block, content: NextContent): NextBlock {
  const { globalId, utime, startLt, endLt, branch, transactions } = content;
  const seqno = previous.seqno + 1;
  const seed = blockSeed(previous.rootHash, branch);
  const shared = { globalId, utime, seed, masterchain: previous };
  const cells: Cell[] = [];
  const shards: ShardBlock[] = [];
  const tips: ShardTip[] = [];

  const make = (...parts: Parameters<typeof makeBlock>): ReturnType<typeof makeBlock> => {
    const made = makeBlock(...parts);
    cells.push(made.cell);
    return made;
  };

  for (const { shard, seqno: newest, unlisted } of content.shards) {
    const parents = previous.shards.filter(
      parent => contains(parent.shard, shard) || contains(shard, parent.shard),
    );
    const first: BlockContent = {
      ...shared,
      workchain: 0,
      shard,
      seqno: unlisted ?? newest,
      startLt,
      endLt,
      previous: parents.map(parent => shardTip(previous, parent)),
      isAfterSplit: parents[0]!.shard !== shard && parents.length === 1,
      transactions: transactions.filter(
        transaction => !isMasterchain(transaction) && holds(shard, transaction.account),
      ),
    };
    const made = make(first);
    if (unlisted === undefined) {
      shards.push({ shard, seqno: newest, hashes: hashesOf(made.ref) });
      tips.push({ shard, ref: made.ref, startLt, fees: made.fees });
      continue;
    }
    const { ref } = make({
      ...first,
      seqno: newest,
      startLt: endLt,
      previous: [made.ref],
      isAfterSplit: false,
      transactions: [],
    });
    shards.push({
      shard,
      seqno: newest,
      unlisted,
      hashes: hashesOf(ref),
      unlistedHashes: hashesOf(made.ref),
    });
    tips.push({ shard, ref, startLt: endLt, fees: made.fees });
  }

  const { ref } = make(
    {
      ...shared,
      workchain: -1,
      shard: WHOLE,
      seqno,
      startLt,
      endLt,
      previous: [previous],
      isAfterSplit: false,
      transactions: transactions.filter(isMasterchain),
    },
    masterchainExtra(tips, { seqno, utime }),
  );
  return { block: { ...ref, utime, branch, shards }, cells };
}
