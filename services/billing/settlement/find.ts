import { Problem } from '../../../contracts/problem';
import { getSettlement, SETTLEMENTS } from '../../../projections/billing/settlements';
import { caughtUp } from '../freshness';
import { settlementNotFound } from './decider';
import type { SettlementDeps } from './deps';

/**
 * Whose settlement it is, and so which stream decides about it.
 * @throws Problem 404 `settlement_not_found`, 503 when the projection is not there yet
 */
export async function merchantOf(
  { store, views, patience }: SettlementDeps,
  settlementId: string,
): Promise<string> {
  const known = await getSettlement(views, settlementId);
  if (known) return known.merchantId;
  await caughtUp(views, [SETTLEMENTS.name], await store.head(), patience);
  const found = await getSettlement(views, settlementId);
  if (!found) throw Problem.of(settlementNotFound(settlementId));
  return found.merchantId;
}
