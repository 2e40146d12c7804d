import type { Logger } from 'pino';
import type { Finality } from '../../contracts/chain/solana';
import type { SolanaNetwork } from '../../contracts/network/network';
import { Gap } from '../gap';
import { indexedBlock } from './cursor';
import type { Publisher } from './publisher';
import type { LazyBlock } from './raw';
import type { Found, SolanaSource } from './source';

/** What is published of a chain: always one branch of it, from block to parent. */
export interface Branch {
  /**
   * Appends a block, after appending its missing ancestors and retracting blocks that it does not descend from.
   * @throws Gap when an ancestor cannot be read
   */
  append(block: LazyBlock, finalityOf: (slot: number) => Finality): Promise<void>;
  /** Finalizes what became final: one block on the final chain proves its ancestors. @param final the newest final slot */
  finalize(final: number): Promise<void>;
}

/** Blocks that are read at most to find a final one. */
const MAX_READ = 5;

/**
 * Slots are not heights: only the parent that a block names proves that no block is between the two. So a slot is skipped when
 * the parent of a later block is before it, regardless of what nodes answer for the slot; and a block whose parent is not the
 * last indexed one is either preceded by a missing block or on another fork.
 */
export function createBranch({
  network,
  source,
  publisher,
  logger,
}: {
  readonly network: SolanaNetwork;
  readonly source: Pick<SolanaSource, 'block' | 'header'>;
  readonly publisher: Publisher;
  readonly logger: Logger;
}): Branch {
  const last = () => indexedBlock(publisher.cursor);

  async function append(block: LazyBlock, finalityOf: (slot: number) => Finality): Promise<void> {
    for (let next = block; ;) {
      const { slot, blockhash } = last();
      if (next.parentSlot >= next.slot)
        throw new Gap(next.slot, `the source names its parent ${next.parentSlot}`);
      if (next.parentSlot > slot) next = await parentOf(next, finalityOf);
      else if (next.parentSlot < slot || next.previousBlockhash !== blockhash) await retractLast(next);
      else {
        await publisher.append(next, finalityOf(next.slot));
        if (next === block) return;
        next = block;
      }
    }
  }

  async function parentOf(block: LazyBlock, finalityOf: (slot: number) => Finality): Promise<LazyBlock> {
    const slot = block.parentSlot;
    const outcome: Found<LazyBlock> = await source.block(slot, finalityOf(slot));
    if ('absent' in outcome) throw new Gap(slot, `parent of block ${block.slot}, but ${outcome.absent}`);
    if (outcome.found.blockhash !== block.previousBlockhash)
      throw new Gap(slot, `parent of block ${block.slot}, but the source has another block there`);
    return outcome.found;
  }

  async function retractLast(because: { readonly slot: number }): Promise<void> {
    logger.warn(
      { network, abandoned: last().slot, because: because.slot },
      'solana block abandoned by a fork',
    );
    await publisher.retractLast();
  }

  async function finalize(final: number): Promise<void> {
    const candidates = publisher.cursor.unfinalized.filter(({ slot }) => slot <= final).reverse();
    for (const { slot, blockhash } of candidates.slice(0, MAX_READ)) {
      const outcome = await source.header(slot, 'finalized');
      if ('absent' in outcome) continue; // the node lags, or the block was abandoned: the next block shows its parent
      if (outcome.found.blockhash === blockhash) return publisher.finalize(slot);
      while (publisher.cursor.unfinalized.some(block => block.slot >= slot)) await retractLast(outcome.found);
    }
  }

  return { append, finalize };
}
