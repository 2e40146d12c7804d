import type { TonNetwork } from '../../contracts/network';
import type { Documents } from '../../contracts/ports/documents';
import { Hole } from './errors';
import { followed } from './heads';
import { byAccount } from './load';
import { advanceShards, type ShardRange } from './shards';
import type { ListedTransaction, MasterBlock } from './source/port';
import type { Cursor } from './state';

/** Which accounts are read: those that somebody watches, or every one that transacts. */
export type Scope = 'watched' | 'all';

/** What is to be read of a block, and where the frontier will be once it is published. */
export interface Plan {
  readonly block: MasterBlock;
  readonly accounts: ReadonlyMap<string, readonly ListedTransaction[]>;
  readonly cursor: Cursor;
  readonly lost: readonly ShardRange[];
}

/** @throws Hole when the source left out blocks of a shard. */
export async function planBlock(
  documents: Documents,
  network: TonNetwork,
  scope: Scope,
  before: Cursor,
  block: MasterBlock,
): Promise<Plan> {
  const { tips, lost, gap } = advanceShards(before.shards, block.shards);
  if (gap) throw new Hole(block.seqno, gap);
  const listed = byAccount(block);
  const wanted = scope === 'all' ? null : await followed(documents, network, [...listed.keys()]);
  return {
    block,
    accounts: wanted ? new Map([...listed].filter(([account]) => wanted.has(account))) : listed,
    cursor: { seqno: block.seqno, rootHash: block.rootHash, shards: tips },
    lost,
  };
}
