import type { StoredAccount } from '../svm/account';
import type { LiveBlock } from './ledger';
import type { UnfinalizedChain } from './unfinalized';

/**
 * The blocks that a fork drops, the open one and `count` closed ones before it, and the accounts to restore.
 * @throws RangeError when fewer closed blocks are unfinalized
 */
export function forkPlan(
  { blocks }: UnfinalizedChain,
  count: number,
): { kept: LiveBlock[]; dropped: LiveBlock[]; restored: Map<string, StoredAccount | null> } {
  const closed = blocks.length - 1;
  if (!Number.isInteger(count) || count < 1 || count > closed)
    throw new RangeError(
      `cannot drop ${count} closed blocks beside the open one: only ${closed} are not finalized yet, and finalized ones stay`,
    );
  const kept = blocks.slice(0, closed - count);
  const dropped = blocks.slice(closed - count);
  const restored = new Map<string, StoredAccount | null>();
  for (const { before } of dropped)
    for (const [address, account] of before) if (!restored.has(address)) restored.set(address, account);
  return { kept, dropped, restored };
}
