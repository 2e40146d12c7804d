import type { StoredAccount } from '../svm/account';
import type { LiveBlock } from './ledger';
import type { Window } from './window';

/**
 * What a fork drops: the open block and the newest closed ones, and to what their accounts go back.
 * @throws RangeError when so many closed blocks are not there to drop: what is final stays
 */
export function forkPlan(
  { blocks }: Window,
  count: number,
): { kept: LiveBlock[]; dropped: LiveBlock[]; restored: Map<string, StoredAccount | null> } {
  const closed = blocks.length - 1;
  if (!Number.isInteger(count) || count < 1 || count > closed)
    throw new RangeError(`1 to ${closed} blocks can be dropped, not ${count}`);
  const kept = blocks.slice(0, closed - count);
  const dropped = blocks.slice(closed - count);
  const restored = new Map<string, StoredAccount | null>();
  for (const { before } of dropped)
    for (const [address, account] of before) if (!restored.has(address)) restored.set(address, account);
  return { kept, dropped, restored };
}
