import { lowestPrice } from '../svm/fee';
import type { BlockHeader, LiveBlock } from './ledger';
import { blockhashOf } from './slots';
import { openBlockOf, type Window } from './window';

/** How many blocks after its own a block is confirmed, and finalized. */
export interface Depths {
  readonly confirmedAfter: number;
  readonly finalizedAfter: number;
}

/** The header of a block that takes no more transactions. @param now seconds since 1970 */
export function closingHeader(block: LiveBlock, parent: BlockHeader, now: number): BlockHeader {
  const transactions = [...block.transactions.values()];
  const signatures = transactions.map(({ signature }) => signature);
  return {
    slot: block.slot,
    height: block.height,
    time: Math.max(parent.time, now),
    blockhash: blockhashOf(parent.blockhash, block.slot, signatures),
    price: lowestPrice(transactions.map(({ wire }) => wire)),
  };
}

/** Confirms and finalizes what is deep enough by now. @returns what became so, oldest first */
export function settle(
  window: Window,
  { confirmedAfter, finalizedAfter }: Depths,
): { confirmed: LiveBlock[]; finalized: LiveBlock[] } {
  const { height } = openBlockOf(window);
  const confirmed = window.blocks.filter(each => !each.confirmed && each.height + confirmedAfter <= height);
  for (const block of confirmed) block.confirmed = true;
  const finalized = window.blocks.filter(each => each.height + finalizedAfter <= height);
  window.blocks.splice(0, finalized.length);
  window.root = finalized.at(-1)?.header ?? window.root;
  return { confirmed, finalized };
}
