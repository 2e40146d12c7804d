import type { AccountChanges } from '../svm/account';
import { base58 } from '../svm/base58';
import type { Engine } from '../svm/engine';
import type { BlockHeader, LiveBlock } from './ledger';
import type { Queries } from './queries';
import { nextSlot } from './slots';
import type { Store } from './store';
import { eachAccount, eachUndo, readState } from './stored-state';
import { openLiveBlock, RECENT_BLOCKS, type UnfinalizedChain } from './unfinalized';

export interface Genesis {
  readonly hash: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly accounts: AccountChanges;
}

/** The blockhash before the first one. */
export const NO_BLOCKHASH = base58(Buffer.alloc(32));

const liveBlocks = (queries: Queries, rootSlot: number, openSlot: number, lowest: number): LiveBlock[] => {
  const headers: (BlockHeader | null)[] = queries
    .newestBlocks(openSlot - 1, RECENT_BLOCKS)
    .filter(({ slot }) => slot > rootSlot)
    .reverse();
  return [...headers, null].map((header, index) => {
    const block = openLiveBlock(header?.slot ?? openSlot, lowest + index);
    block.header = header;
    for (const transaction of queries.transactions(block.slot))
      block.transactions.set(transaction.signature, transaction);
    return block;
  });
};

/**
 * Restores the chain from disk: the engine's accounts and the blocks that are not finalized. A new chain starts with
 * block 0, which has the genesis accounts and is finalized.
 */
export function restoreChain(
  store: Store,
  queries: Queries,
  engine: Engine,
  genesis: () => Genesis,
  skipEvery: number,
): { unfinalized: UnfinalizedChain; genesisHash: string } {
  const { database } = store;
  if (!readState(database)) {
    const { hash, time, accounts } = genesis();
    const block = { slot: 0, height: 0, time, blockhash: hash, price: 0 };
    store.create(hash, block, accounts, nextSlot(0, skipEvery));
  }
  const { genesisHash, openSlot, rootSlot } = readState(database)!;
  eachAccount(database, (address, account) => engine.setAccount(address, account));
  const root = queries.block(rootSlot)!;
  const blocks = liveBlocks(queries, rootSlot, openSlot, root.height + 1);
  eachUndo(database, rootSlot + 1, (slot, address, before) =>
    blocks.find(block => block.slot === slot)?.before.set(address, before),
  );
  return {
    genesisHash,
    unfinalized: { root, blocks, recent: queries.newestBlocks(openSlot - 1, RECENT_BLOCKS) },
  };
}
