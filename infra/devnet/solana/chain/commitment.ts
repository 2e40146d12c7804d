import { lowestPrice } from '../svm/fee';
import type { BlockHeader, LiveBlock } from './ledger';
import { blockhashOf } from './slots';
import { openBlockOf, type UnfinalizedChain } from './unfinalized';

/** How many blocks after its own a block is confirmed, and finalized. */
export interface CommitmentDepths {
  readonly confirmedAfter: number;
  readonly finalizedAfter: number;
}

/** The header of a closed block. @param now seconds since 1970 */
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

/** Confirms and finalizes the blocks that are deep enough. @returns those blocks, oldest first */
export function advanceCommitments(
  chain: UnfinalizedChain,
  { confirmedAfter, finalizedAfter }: CommitmentDepths,
): { confirmed: LiveBlock[]; finalized: LiveBlock[] } {
  const { height } = openBlockOf(chain);
  const confirmed = chain.blocks.filter(each => !each.confirmed && each.height + confirmedAfter <= height);
  for (const block of confirmed) block.confirmed = true;
  const finalized = chain.blocks.filter(each => each.height + finalizedAfter <= height);
  chain.blocks.splice(0, finalized.length);
  chain.root = finalized.at(-1)?.header ?? chain.root;
  return { confirmed, finalized };
}
