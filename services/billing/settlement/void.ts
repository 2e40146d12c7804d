import type { CommandMetadata } from '../../../contracts/decider';
import { carryOut } from './carry-out';
import type { SettlementDeps, SettlementsDone } from './deps';

/**
 * Makes a settlement void for good: its month is free, its rebates are accrued again, and what it had carried in is open.
 * @throws Problem 404 `settlement_not_found`, 409 `settlement_already_paid`, `settlement_already_void`, and
 *   `settlement_built_upon` when a later one has taken in what it carried, or what changed since in a month of it
 */
export function voidSettlement(
  deps: SettlementDeps,
  settlementId: string,
  reason: string | null,
  metadata: CommandMetadata,
): Promise<SettlementsDone> {
  return carryOut(deps, settlementId, reason, metadata, sealed => ({
    type: 'void',
    settlementId,
    reason: sealed,
    metadata,
  }));
}
