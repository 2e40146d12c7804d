import { sameAccount, type StoredAccount } from '../svm/account';
import type { TouchedAccount } from '../svm/engine';
import type { BlockHeader, Commitment, LedgerTransaction, LiveBlock } from './ledger';

/** How many blocks a blockhash may be used in after its own: https://solana.com/docs/core/transactions/confirmation */
export const BLOCKHASH_AGE = 150;
/** The size of the SlotHashes sysvar. */
export const RECENT_BLOCKS = 512;

export function openLiveBlock(slot: number, height: number): LiveBlock {
  return {
    slot,
    height,
    header: null,
    confirmed: false,
    transactions: new Map(),
    before: new Map(),
    after: new Map(),
  };
}

/** Records what a transaction changed. @returns the changes, and those to accounts that the block changed for the first time */
export function recordChanges(
  block: LiveBlock,
  touched: readonly TouchedAccount[],
): { changed: TouchedAccount[]; first: TouchedAccount[] } {
  const changed = touched.filter(({ before, after }) => !sameAccount(before, after));
  const first = changed.filter(({ address }) => !block.before.has(address));
  for (const { address, before } of first) block.before.set(address, before);
  for (const { address, after } of changed) block.after.set(address, after);
  return { changed, first };
}

/** The newest finalized block (`root`), and the blocks after it, which may still be dropped. */
export interface UnfinalizedChain {
  root: BlockHeader;
  /** Oldest first; the last one is open. */
  blocks: LiveBlock[];
  /** Closed blocks, newest first. */
  recent: BlockHeader[];
}

export function openBlockOf({ blocks }: UnfinalizedChain): LiveBlock {
  return blocks.at(-1)!;
}

export function addRecent(chain: UnfinalizedChain, header: BlockHeader): void {
  chain.recent = [header, ...chain.recent.slice(0, RECENT_BLOCKS - 1)];
}

/** The newest slot that has reached a commitment. */
export function slotAt(chain: UnfinalizedChain, commitment: Commitment): number {
  if (commitment === 'processed') return openBlockOf(chain).slot;
  const confirmed = commitment === 'confirmed' && chain.blocks.findLast(block => block.confirmed);
  return confirmed ? confirmed.slot : chain.root.slot;
}

/** The newest closed block that has reached a commitment. */
export function headerAt(chain: UnfinalizedChain, commitment: Commitment): BlockHeader {
  return commitment === 'processed'
    ? chain.recent[0]!
    : (chain.blocks.find(({ slot }) => slot === slotAt(chain, commitment))?.header ?? chain.root);
}

/** The height of a blockhash's block; null when transactions may not use it: unknown or too old. */
export function usableBlockhash(chain: UnfinalizedChain, blockhash: string): number | null {
  const header = chain.recent.find(each => each.blockhash === blockhash);
  return header && openBlockOf(chain).height <= header.height + BLOCKHASH_AGE ? header.height : null;
}

export function findLive({ blocks }: UnfinalizedChain, signature: string): LedgerTransaction | null {
  for (const { transactions } of blocks) {
    const found = transactions.get(signature);
    if (found) return found;
  }
  return null;
}

/** The accounts changed since a commitment, as they were then; they replace the newest state for its readers. */
export function overlayAt(
  chain: UnfinalizedChain,
  commitment: Commitment,
): Map<string, StoredAccount | null> {
  const overlay = new Map<string, StoredAccount | null>();
  if (commitment === 'processed') return overlay;
  const slot = slotAt(chain, commitment);
  for (const block of chain.blocks) {
    if (block.slot <= slot) continue;
    for (const [address, before] of block.before) if (!overlay.has(address)) overlay.set(address, before);
  }
  return overlay;
}
