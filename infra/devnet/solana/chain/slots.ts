import { createHash } from 'node:crypto';
import { base58, fromBase58 } from '../svm/base58';

/**
 * Which slots have no block: one in `every`, and sometimes two in a row, as when a leader is offline. Deterministic; none
 * when `every` is 0.
 */
const isSkipped = (slot: number, every: number): boolean =>
  every > 0 && slot > 0 && (slot % every === every - 1 || slot % (every * 5) === every * 5 - 2);

/** The first slot after this one that has a block. */
export function nextSlot(slot: number, every: number): number {
  let next = slot + 1;
  while (isSkipped(next, every)) next += 1;
  return next;
}

/** A blockhash commits to the block before, the slot and the transactions in order. */
export function blockhashOf(previousBlockhash: string, slot: number, signatures: readonly string[]): string {
  const hash = createHash('sha256').update(fromBase58(previousBlockhash)!).update(String(slot));
  for (const signature of signatures) hash.update(signature);
  return base58(hash.digest());
}
