import type { CommandMetadata } from '../../../contracts/decider';
import { Problem } from '../../../contracts/problem/problem';
import { executeSettlementCommand } from './execute';
import type { SettlementDeps, SettlementsResult } from './deps';

/**
 * Records that a settlement and its rebates were paid.
 * @param paidAt RFC 3339 UTC with milliseconds; null for now
 * @throws Problem 400 when `paidAt` is in the future, 404 `settlement_not_found`, 409 `settlement_already_paid`,
 *   409 `settlement_not_pending` when it is carried or void
 */
export async function markSettlementPaid(
  deps: SettlementDeps,
  settlementId: string,
  payment: { readonly paidAt: string | null; readonly reference: string | null },
  metadata: CommandMetadata,
): Promise<SettlementsResult> {
  const paidAt = payment.paidAt ?? metadata.now;
  if (paidAt > metadata.now) throw Problem.invalid('/body/paidAt', 'must not be in the future', 'in_future');
  return executeSettlementCommand(deps, settlementId, payment.reference, metadata, reference => ({
    type: 'pay',
    settlementId,
    paidAt,
    reference,
    metadata,
  }));
}
