import type { CommandMetadata } from '../../../contracts/decider';
import { executeSettlementCommand } from './execute';
import type { SettlementDeps, SettlementsResult } from './deps';

/**
 * Voids a settlement: its month is free, its rebates are accrued again, and the balance it had carried in is open again.
 * @throws Problem 404 `settlement_not_found`, 409 `settlement_already_paid`, `settlement_already_void`, and
 *   `settlement_has_dependents` when a later one includes its carried balance, or later changes of its months
 */
export function voidSettlement(
  deps: SettlementDeps,
  settlementId: string,
  reason: string | null,
  metadata: CommandMetadata,
): Promise<SettlementsResult> {
  return executeSettlementCommand(deps, settlementId, reason, metadata, encrypted => ({
    type: 'void',
    settlementId,
    reason: encrypted,
    metadata,
  }));
}
