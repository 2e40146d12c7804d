import { sameAccount, type StoredAccount } from '../svm/account';
import type { TouchedAccount } from '../svm/engine';
import type { BlockHeader, Commitment, LedgerTransaction, LiveBlock } from './ledger';

/** How many blocks a blockhash may be used in after its own: https://solana.com/docs/core/transactions/confirmation */
export const BLOCKHASH_AGE = 150;
/** As many as the SlotHashes sysvar holds. */
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

/** Notes what a transaction changed, and which of these accounts the block had not changed before. */
export function noteChanges(
  block: LiveBlock,
  touched: readonly TouchedAccount[],
): { changed: TouchedAccount[]; first: TouchedAccount[] } {
  const changed = touched.filter(({ before, after }) => !sameAccount(before, after));
  const first = changed.filter(({ address }) => !block.before.has(address));
  for (const { address, before } of first) block.before.set(address, before);
  for (const { address, after } of changed) block.after.set(address, after);
  return { changed, first };
}

/** The end of the chain: the newest finalized block (`root`), and after it all that may still be dropped. */
export interface Window {
  root: BlockHeader;
  /** Oldest first; the last one is open. */
  blocks: LiveBlock[];
  /** Closed blocks, newest first. */
  recent: BlockHeader[];
}

export function openBlockOf({ blocks }: Window): LiveBlock {
  return blocks.at(-1)!;
}

export function remember(window: Window, header: BlockHeader): void {
  window.recent = [header, ...window.recent.slice(0, RECENT_BLOCKS - 1)];
}

/** The newest slot that has reached a commitment. */
export function slotAt(window: Window, commitment: Commitment): number {
  if (commitment === 'processed') return openBlockOf(window).slot;
  const confirmed = commitment === 'confirmed' && window.blocks.findLast(block => block.confirmed);
  return confirmed ? confirmed.slot : window.root.slot;
}

/** The newest closed block that has reached a commitment. */
export function headerAt(window: Window, commitment: Commitment): BlockHeader {
  return commitment === 'processed'
    ? window.recent[0]!
    : (window.blocks.find(({ slot }) => slot === slotAt(window, commitment))?.header ?? window.root);
}

/** The height of the block a blockhash is of, while transactions may use it; null when unknown or too old. */
export function usableBlockhash(window: Window, blockhash: string): number | null {
  const header = window.recent.find(each => each.blockhash === blockhash);
  return header && openBlockOf(window).height <= header.height + BLOCKHASH_AGE ? header.height : null;
}

export function findLive({ blocks }: Window, signature: string): LedgerTransaction | null {
  for (const { transactions } of blocks) {
    const found = transactions.get(signature);
    if (found) return found;
  }
  return null;
}

/** What to show instead of the newest state, to a reader at a commitment: the accounts changed since. */
export function overlayAt(window: Window, commitment: Commitment): Map<string, StoredAccount | null> {
  const overlay = new Map<string, StoredAccount | null>();
  if (commitment === 'processed') return overlay;
  const slot = slotAt(window, commitment);
  for (const block of window.blocks) {
    if (block.slot <= slot) continue;
    for (const [address, before] of block.before) if (!overlay.has(address)) overlay.set(address, before);
  }
  return overlay;
}
