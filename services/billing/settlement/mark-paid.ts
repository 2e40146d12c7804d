import type { CommandMetadata } from '../../../contracts/decider';
import { Problem } from '../../../contracts/problem';
import { carryOut } from './carry-out';
import type { SettlementDeps, SettlementsDone } from './deps';

/**
 * Records that a settlement was paid out, and with it its rebates.
 * @param paidAt RFC 3339 UTC with milliseconds; null for now
 * @throws Problem 400 when `paidAt` is in the future, 404 `settlement_not_found`, 409 `settlement_already_paid`,
 *   409 `settlement_not_pending` when it is carried or void
 */
export async function markSettlementPaid(
  deps: SettlementDeps,
  settlementId: string,
  payment: { readonly paidAt: string | null; readonly reference: string | null },
  metadata: CommandMetadata,
): Promise<SettlementsDone> {
  const paidAt = payment.paidAt ?? metadata.now;
  if (paidAt > metadata.now) throw inTheFuture();
  return carryOut(deps, settlementId, payment.reference, metadata, reference => ({
    type: 'pay',
    settlementId,
    paidAt,
    reference,
    metadata,
  }));
}

function inTheFuture(): Problem {
  const message = 'must not be in the future';
  return new Problem(400, 'invalid_request', `/body/paidAt: ${message}`, {
    errors: [{ pointer: '/body/paidAt', code: 'future', message }],
  });
}
