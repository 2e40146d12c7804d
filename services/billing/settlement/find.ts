import { Problem } from '../../../contracts/problem';
import { getSettlement, SETTLEMENTS } from '../../../projections/billing/settlements';
import { caughtUp } from '../freshness';
import { settlementNotFound } from './decider';
import type { SettlementDeps } from './deps';

/**
 * The merchant of a settlement, and so its stream.
 * @throws Problem 404 `settlement_not_found`, 503 when the projection is behind
 */
export async function merchantOf(
  { store, views, waitMs }: SettlementDeps,
  settlementId: string,
): Promise<string> {
  const known = await getSettlement(views, settlementId);
  if (known) return known.merchantId;
  await caughtUp(views, [SETTLEMENTS.name], await store.head(), waitMs);
  const found = await getSettlement(views, settlementId);
  if (!found) throw Problem.of(settlementNotFound(settlementId));
  return found.merchantId;
}
